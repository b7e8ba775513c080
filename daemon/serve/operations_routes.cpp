#include "daemon/serve/operations_routes.hpp"

#include "daemon/operations/exposition.hpp"
#include "daemon/operations/held_memory.hpp"
#include "daemon/operations/process_metrics.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/operations/version.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/readable.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::serve {
namespace {

using operations::exposition;

double number(std::uint64_t value) { return static_cast<double>(value); }

void add_build(exposition& to) {
  to.gauge("tofud_build_info", "Always 1; the version is in the labels.");
  to.sample({{"version", operations::version}, {"build", operations::build_id}}, 1);
}

void add_runs(exposition& to, const kept_streams& runs) {
  const ingest_counts& counts = runs.counts();
  to.gauge("tofud_runs_active", "Running runs whose senders are not lost.");
  to.sample(number(runs.going_on()));
  to.counter("tofud_runs_total", "Runs that ended since the start, by status.");
  for (const auto& [result, count] : counts.runs_over) {
    to.sample({{"result", result}}, number(count));
  }
  to.counter("tofud_events_total", "Messages received, by their type in OpenTofu's stream.");
  for (std::size_t type = 0; type < correlator::message_counts::types; ++type) {
    const auto count = counts.messages.by_type.at(type);
    if (count > 0) to.sample({{"type", correlator::message_counts::name(type)}}, number(count));
  }
  to.sample({{"type", "text"}}, number(counts.messages.text));
  to.counter("tofud_event_bytes_total", "Bytes of streams received and stored on disk.");
  to.sample(number(counts.bytes));
  to.counter("tofud_parse_errors_total", "Lines received that could not be read.");
  to.sample({{"reason", "malformed"}}, number(counts.messages.malformed()));
  to.sample({{"reason", "too_long"}}, number(counts.messages.too_long));
  to.counter("tofud_order_contradictions_total",
             "Operations that began before others that their order puts before them.");
  to.sample(number(counts.messages.contradictions));
  to.counter("tofud_estimates_total",
             "Estimates at 25, 50 and 75 % of an apply, by when it was over: before the first of "
             "the two times named, before the second, or later.");
  for (const auto& [at, judged] : counts.estimates) {
    const std::string part = std::to_string(at);
    to.sample({{"at", part}, {"over", "first"}}, number(judged.by_first));
    to.sample({{"at", part}, {"over", "second"}}, number(judged.by_second));
    to.sample({{"at", part}, {"over", "later"}}, number(judged.later));
  }
  to.counter("tofud_estimate_error_ratio_total",
             "Sum of the errors of these estimates, each in relation to the time that was left.");
  for (const auto& [at, judged] : counts.estimates) {
    to.sample({{"at", std::to_string(at)}}, judged.error);
  }
  to.gauge("tofud_ingest_lag_seconds",
           "Age of the oldest received bytes that are not yet on disk and in rows.");
  to.sample(std::chrono::duration<double>(runs.lag()).count());
}

/// Newest outcomes, as everybody's wall has them.
void add_stacks(exposition& to, const kept_streams& runs) {
  const wall::stack_cards& cards = runs.walls().cards(access::own_user());
  std::vector<const feed::stack_row*> shown;
  std::size_t left_out = 0;
  for (const std::string& stack : cards.stacks()) {
    if (shown.size() == limits::metrics_stacks)
      ++left_out;
    else
      shown.push_back(cards.card(stack));
  }
  const auto name_of = [](const feed::stack_row& card) {
    return text::beginning(text::readable_line(card.stack), limits::metrics_name_bytes);
  };
  const auto seconds = [](ui::time_point at) {
    return std::chrono::duration<double>(at.time_since_epoch()).count();
  };
  to.gauge("tofud_stack_outcome",
           "1: what the newest runs of a stack that are over came to, by command and status.");
  for (const auto* card : shown) {
    if (!card->outcome) continue;
    to.sample({{"stack", name_of(*card)},
               {"command", feed::name(card->outcome->command)},
               {"status", feed::name(card->outcome->status)}},
              1);
  }
  to.gauge("tofud_stack_outcome_time_seconds", "When that was, in Unix time.");
  for (const auto* card : shown) {
    if (card->outcome && card->outcome->ended_at)
      to.sample({{"stack", name_of(*card)}}, seconds(*card->outcome->ended_at));
  }
  to.gauge("tofud_stack_run_seconds", "How long the newest run of a stack took, if it is over.");
  for (const auto* card : shown) {
    if (card->status == feed::run_status::running || !card->started_at || !card->ended_at) continue;
    to.sample({{"stack", name_of(*card)}, {"command", feed::name(card->command)}},
              std::chrono::duration<double>(*card->ended_at - *card->started_at).count());
  }
  to.gauge("tofud_stack_running_since_seconds",
           "When the newest run of a stack began that goes on, in Unix time.");
  for (const auto* card : shown) {
    if (card->status == feed::run_status::running && card->started_at)
      to.sample({{"stack", name_of(*card)}, {"command", feed::name(card->command)}},
                seconds(*card->started_at));
  }
  to.gauge("tofud_stack_drifted_since_seconds",
           "Since when a stack differs from what was applied, in Unix time.");
  for (const auto* card : shown) {
    if (card->drift) to.sample({{"stack", name_of(*card)}}, seconds(card->drift->since));
  }
  to.gauge("tofud_stacks_left_out", "Stacks beyond the number that metrics name.");
  to.sample(number(left_out));
}

void add_subscribers(exposition& to, const fanout::hub& hub) {
  const fanout::hub_counts& counts = hub.counts();
  constexpr std::array<std::string_view, fanout::transports> names{"websocket", "sse", "ndjson"};
  to.gauge("tofud_subscribers", "Connections to the feed.");
  for (std::size_t i = 0; i < names.size(); ++i) {
    to.sample({{"transport", names.at(i)}}, number(counts.subscribers.at(i)));
  }
  to.counter("tofud_subscriber_closed_total",
             "Connections to the feed that ended, by close code; 1006: without a close code.");
  for (const auto& [code, count] : counts.closed) {
    to.sample({{"code", std::to_string(code)}}, number(count));
  }
  to.counter("tofud_subscriber_resyncs_total", "Resets sent to subscribers, by reason.");
  for (const auto& [reason, count] : counts.resyncs) {
    to.sample({{"reason", reason}}, number(count));
  }
  to.counter("tofud_frames_total", "Frames of the feed that were sent.");
  to.sample(number(counts.frames));
  to.histogram("tofud_delivery_seconds",
               "Time from receiving bytes to sending what they changed to a waiting subscriber.",
               counts.delivery);
  to.histogram("tofud_subscriber_queue_bytes",
               "Bytes queued for a subscriber's connection, sampled once a second for each.",
               counts.waiting);
  to.counter("tofud_dropped_log_bytes_total",
             "Bytes of log lines dropped from memory to stay within the limit.");
  to.sample(number(fanout::forgotten_log_bytes()));
}

void add_journal(exposition& to, const journal::store& store) {
  const journal::store_facts facts = store.facts();
  to.gauge("tofud_journal_bytes", "Bytes of stored runs on disk.");
  to.sample(number(facts.bytes));
  if (facts.disk) {
    to.gauge("tofud_journal_free_bytes", "Free bytes on the journal's disk.");
    to.sample(number(facts.disk->free));
  }
  to.histogram("tofud_journal_sync_seconds",
               "Time until appended bytes were synced to disk, by batch.", facts.syncs);
}

void add_memory(exposition& to, const kept_streams& runs) {
  to.gauge("tofud_memory_held_bytes", "Memory used for clients, by purpose.");
  for (std::size_t part = 0; part < operations::memory_parts; ++part) {
    const auto what = static_cast<operations::memory_for>(part);
    to.sample({{"for", operations::name(what)}}, number(operations::memory_held(what)));
  }
  to.gauge("tofud_memory_limit_bytes",
           "Limit of the memory used for clients (limits.memory_bytes).");
  to.sample(number(runs.memory_bytes()));
}

void add_loop(exposition& to, const operations::loop_lag& lag) {
  to.histogram("tofud_loop_lag_seconds",
               "Time until the daemon's loop takes up a request, sampled ten times a second.",
               lag.seen());
}

void add_certificate(exposition& to, const net::tls_context* tls) {
  if (tls == nullptr) return;
  to.gauge("tofud_tls_certificate_expires_seconds",
           "Expiry of the first certificate of the served chain that expires, in Unix time.");
  to.sample(static_cast<double>(tls->expires_at().time_since_epoch().count()));
}

void add_tokens(exposition& to, const access::token_store& tokens) {
  to.gauge("tofud_tokens", "Tokens that may be used.");
  to.sample(number(tokens.size()));
  to.gauge("tofud_tokens_ending", "Of these, tokens that end within 14 days.");
  to.sample(number(tokens.ending(operations::now_in_seconds()).size()));
  const auto first = tokens.first_end();
  if (!first) return;
  to.gauge("tofud_token_expires_seconds", "When the first of them ends, in Unix time.");
  to.sample(static_cast<double>(first->time_since_epoch().count()));
}

void add_issuers(exposition& to, const oidc::issuers& issuers) {
  to.gauge("tofud_oidc_keys_fetched_seconds",
           "When the keys of an issuer were fetched, in Unix time; after a day they are not used.");
  for (const auto& [issuer, keys] : issuers.keys()) {
    const auto at = keys->fetched_at();
    to.sample({{"issuer", issuer}}, at ? static_cast<double>(at->time_since_epoch().count()) : 0.0);
  }
}

void add_notifications(exposition& to, const notify::sender& told) {
  const notify::sender::counted& counts = told.counts();
  to.counter("tofud_notifications_total", "Notifications that were sent, by result.");
  to.sample({{"result", "delivered"}}, number(counts.delivered));
  to.sample({{"result", "failed"}}, number(counts.failed));
  to.gauge("tofud_notifications_stored", "Notifications that were not delivered, by state.");
  to.sample({{"state", "waiting"}}, number(counts.kept.waiting));
  to.sample({{"state", "given up"}}, number(counts.kept.given_up));
}

void add_archive(exposition& to, const archive::archiver& archive) {
  const archive::archiver::counted& counts = archive.counts();
  to.counter("tofud_archived_runs_total", "Ended runs that were copied to the archive.");
  to.sample(number(counts.runs));
  to.counter("tofud_archived_bytes_total", "Bytes of these.");
  to.sample(number(counts.bytes));
  to.counter("tofud_archive_failures_total", "How often the archive took nothing.");
  to.sample(number(counts.failures));
  to.gauge("tofud_archive_waiting_runs", "Ended runs that the archive does not have yet.");
  to.sample(number(archive.waiting()));
  to.gauge("tofud_archive_up", "Whether the archive took what it was given last; 1 without one.");
  to.sample(archive.trouble().empty() ? 1.0 : 0.0);
}

void add_http(exposition& to, const operated& parts) {
  const http::counters& counts = parts.listener.counted();
  to.counter("tofud_http_requests_total", "Answered requests, by class of status.");
  constexpr std::array<std::string_view, 6> classes{"", "1xx", "2xx", "3xx", "4xx", "5xx"};
  for (std::size_t i = 1; i < classes.size(); ++i) {
    to.sample({{"class", classes.at(i)}}, number(counts.answers.at(i)));
  }
  to.counter("tofud_http_route_requests_total", "Requests, by route.");
  for (const auto& route : parts.routes.counted()) {
    to.sample({{"method", route.method}, {"route", route.pattern}}, number(route.requests));
  }
  to.gauge("tofud_connections", "Open connections, of every kind.");
  to.sample(number(parts.listener.connections()));
  to.counter("tofud_tls_handshakes_total", "TLS handshakes, by result.");
  to.sample({{"result", "done"}}, number(counts.handshakes));
  to.sample({{"result", "failed"}}, number(counts.handshake_failures));
}

/// By the names that limits have in limits.hpp and in the configuration.
void add_limits(exposition& to, const operated& parts) {
  const http::counters& http = parts.listener.counted();
  const fanout::hub_counts& feed = parts.hub.counts();
  const ingest_counts& ingest = parts.runs.counts();
  const live_runs& live = parts.runs.live();
  to.counter("tofud_limits_reached_total", "How often each limit was reached.");
  const auto reached = [&to](std::string_view limit, std::uint64_t times) {
    to.sample({{"limit", limit}}, number(times));
  };
  reached("connections", http.refused_connections);
  reached("connections_per_address", http.refused_address);
  reached("connections_in_reserve", http.refused_reserved);
  reached("unauthenticated_connections_share", http.cut_unauthenticated);
  reached("unauthenticated_requests_per_second", http.slowed_unauthenticated);
  reached("descriptors", http.out_of_descriptors);
  reached("header_bytes", http.long_heads);
  reached("header_time", http.slow_heads);
  reached("body_stalled_after", http.stalled_bodies);
  reached("body_time", http.slow_bodies);
  reached("body_bytes", http.long_bodies);
  reached("stalled_after", http.stalled_writes + feed.stalled);
  reached("client_message_bytes", feed.long_messages);
  reached("client_frames_per_second", feed.flooding);
  reached("missed_pings", feed.missed_pings);
  reached("live_runs", live.refused());
  reached("live_runs_per_address", live.refused_to_sender());
  reached("new_runs_at_once", live.refused_as_too_fast());
  reached("events_per_run", ingest.events_limit);
  reached("memory_bytes", http.refused_memory + ingest.memory_limit);
  reached("attachments_waiting", ingest.attachments_limit);
  reached("rows_per_run", ingest.messages.full_runs);
  reached("line_bytes", ingest.messages.too_long);
  reached("free_bytes", parts.store.facts().refusals);
  reached("log_lines", parts.log.left_out());
}

void add_telemetry(exposition& to, const telemetry::exporter& sent) {
  const telemetry::exporter::counted& counts = sent.counts();
  to.counter("tofud_otlp_runs_total", "Ended runs by what became of their traces.");
  to.sample({{"result", "sent"}}, number(counts.runs));
  to.sample({{"result", "lost"}}, number(counts.runs_lost));
  to.counter("tofud_otlp_spans_total", "Spans that the collector took.");
  to.sample(number(counts.spans));
  to.counter("tofud_otlp_failures_total", "How often the collector took nothing.");
  to.sample(number(counts.failures));
  to.gauge("tofud_otlp_waiting_runs", "Ended runs whose traces wait to be sent.");
  to.sample(number(sent.waiting()));
}

void add_cluster(exposition& to, const membership* in) {
  if (in == nullptr) return;
  const run_cards::counts& counts = in->cards().counted();
  to.gauge("tofud_cluster_up", "Whether NATS is connected.");
  to.sample(in->is_up() ? 1 : 0);
  to.gauge("tofud_cluster_current", "Whether this daemon knows what the others have told.");
  to.sample(in->is_current() ? 1 : 0);
  to.gauge("tofud_cluster_members",
           "Daemons of the cluster that said lately that they are there, this one included.");
  to.sample(number(in->members()));
  if (const auto ahead = in->clock().ahead()) {
    to.gauge("tofud_cluster_clock_ahead_seconds",
             "How far this machine's clock is ahead of that of NATS.");
    to.sample(std::chrono::duration<double>{*ahead}.count());
  }
  to.gauge("tofud_cluster_lag_messages", "What others have told and is not read here yet.");
  to.sample(number(in->cards().lag()));
  to.gauge("tofud_cluster_waiting_runs", "Runs with something that NATS does not have yet.");
  to.sample(number(in->waiting()));
  to.gauge("tofud_cluster_lease", "Whether this daemon does what is done once for all.");
  to.sample(in->is_the_one() ? 1 : 0);
  to.counter("tofud_cluster_lease_changes_total", "How often that came or went.");
  to.sample(number(in->lease_changes()));
  to.counter("tofud_cluster_reconnects_total", "How often NATS was lost and came back.");
  to.sample(number(in->over().reconnects()));
  to.counter("tofud_cluster_rereads_total",
             "How often a stream was read again since something had been missed.");
  to.sample(number(in->rereads()));
  to.counter("tofud_cluster_cards_total", "What was told of runs, by direction.");
  to.sample({{"direction", "sent"}}, number(counts.sent));
  to.sample({{"direction", "taken"}}, number(counts.taken));
  to.counter("tofud_cluster_other_writers_total",
             "How often another daemon had written what this one was about to.");
  to.sample(number(counts.other_writers));
  to.counter("tofud_cluster_brought_total", "How often a run's stream was read from NATS.");
  to.sample(number(in->brought()));
}

http::response metrics_of(const operated& parts, std::chrono::system_clock::time_point started) {
  exposition all;
  add_build(all);
  add_runs(all, parts.runs);
  add_subscribers(all, parts.hub);
  add_journal(all, parts.store);
  add_http(all, parts);
  add_loop(all, parts.lag);
  add_memory(all, parts.runs);
  add_certificate(all, parts.tls.get());
  add_tokens(all, parts.tokens);
  add_issuers(all, parts.issuers);
  add_notifications(all, parts.told);
  add_archive(all, parts.archive);
  add_telemetry(all, parts.telemetry);
  add_cluster(all, parts.cluster);
  if (parts.names_stacks) add_stacks(all, parts.runs);
  add_limits(all, parts);
  operations::add_process_metrics(all, started);
  http::response answer;
  answer.content_type = operations::exposition_type;
  answer.body = all.text();
  return answer;
}

http::response readiness_of(const operated& parts, const http::request& asked) {
  const operations::readiness now = parts.ready();
  http::response answer;
  answer.status = now.is_ready() ? 200 : 503;
  if (asked.parameter("verbose")) {
    answer.body = operations::as_json(now);
  } else {
    answer.content_type = "text/plain; charset=utf-8";
    answer.body = operations::as_text(now);
  }
  answer.headers.push_back({"Cache-Control", "no-store"});
  return answer;
}

http::response version_here() {
  http::response answer;
  answer.body = "{\"name\":\"tofud\",\"version\":";
  json::append_quoted(answer.body, operations::version);
  json::append_quoted(answer.body.append(",\"build\":"), operations::build_id);
  answer.body += ",\"protocol\":\"1.0\"}\n";
  return answer;
}

}  // namespace

void add_operations_routes(http::router& routes, operated parts) {
  const auto asked_of = std::make_shared<const operated>(std::move(parts));
  // Who comes by the socket learns here where the pages are.
  routes.get("/healthz", [asked_of](const http::request&) {
    http::response healthy;
    const std::string url = asked_of->pages();
    const std::string pages = url.empty() ? "null" : '"' + url + '"';
    healthy.body = "{\"status\":\"ok\",\"url\":" + pages + "}\n";
    return healthy;
  });
  routes.get("/readyz",
             [asked_of](const http::request& asked) { return readiness_of(*asked_of, asked); });
  routes.get("/version", [](const http::request&) { return version_here(); });
  const auto started = std::chrono::system_clock::now();
  routes.get("/metrics",
             [asked_of, started](const http::request&) { return metrics_of(*asked_of, started); });
}

}  // namespace tofud::serve
