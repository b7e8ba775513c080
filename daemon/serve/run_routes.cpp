#include "daemon/serve/run_routes.hpp"

#include "daemon/run_reads.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/whole_stream.hpp"
#include "daemon/stream_reads.hpp"
#include "protocol/events/run_events.hpp"
#include "protocol/feed/encode.hpp"
#include "protocol/feed/percent.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/limits.hpp"
#include "protocol/upload/create_request.hpp"
#include "protocol/whole_number.hpp"

#include <limits>
#include <memory>
#include <utility>

namespace tofud::serve {
namespace {

using answering = std::function<void(http::response)>;

constexpr std::chrono::milliseconds between_looks{100};

struct bad_query {
  std::string sentence;
};

/// Every value of a parameter, percent-decoded.
std::vector<std::string> values(const http::request& asked, std::string_view name) {
  std::vector<std::string> found;
  std::string_view rest{asked.query};
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::size_t equals = std::min(one.find('='), one.size());
    if (feed::percent_decoded(one.substr(0, equals)).value_or("") != name) continue;
    auto value = feed::percent_decoded(one.substr(std::min(equals + 1, one.size())));
    if (!value) throw bad_query{std::string{name} + "= is badly encoded"};
    found.push_back(std::move(*value));
  }
  return found;
}

std::vector<feed::label> labels_of(const http::request& asked) {
  std::vector<feed::label> labels;
  for (const std::string& text : values(asked, "label")) {
    auto label = feed::parse_label(text);
    if (!label) throw bad_query{"label=" + text + " is not KEY=VALUE"};
    labels.push_back(std::move(*label));
  }
  auto checked = upload::checked_labels(std::move(labels));
  if (!checked) throw bad_query{checked.error()};
  return *checked;
}

std::optional<std::uint64_t> count_of(const http::request& asked, const std::string& name) {
  const auto text = asked.parameter(name);
  if (!text) return std::nullopt;
  const auto number = parse_whole_number<std::uint64_t>(*text);
  if (!number) throw bad_query{name + "= is no number"};
  return number;
}

journal::run_query query_of(const http::request& asked) {
  journal::run_query query;
  for (const std::string& list : values(asked, "status")) {
    std::string_view rest{list};
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      if (!feed::parse_run_status(one)) {
        throw bad_query{"status=" + std::string{one} +
                        ": it is running, succeeded, failed, interrupted or lost"};
      }
      query.statuses.emplace_back(one);
    }
  }
  query.labels = labels_of(asked);
  query.text = asked.parameter("q").value_or("");
  query.since = asked.parameter("since").value_or("");
  query.cursor = asked.parameter("cursor").value_or("");
  if (const auto limit = count_of(asked, "limit")) query.limit = *limit;
  return query;
}

http::response page_of(const run_registry::run_page& page) {
  if (page.trouble == journal::query_trouble::bad_query) return http::problem(400, page.failure);
  if (page.trouble != journal::query_trouble::none) return http::problem(503, page.failure);
  http::response list;
  list.body = "{\"runs\":[";
  for (const shown_run* shown : page.runs) {
    if (list.body.back() == '}') list.body.push_back(',');
    feed::encode(list.body, shown->view(), 0);
  }
  list.body.append("],\"next\":");
  if (page.next.empty()) {
    list.body.append("null");
  } else {
    json::append_quoted(list.body, page.next);
  }
  list.body.append("}\n");
  return list;
}

/// The route's answer, or a 400 for what is wrong with its query.
template <typename Route>
auto checked(Route route) {
  return [route](const http::request& asked, const answering& answer) {
    try {
      route(asked, answer);
    } catch (const bad_query& bad) {
      answer(http::problem(400, bad.sentence));
    }
  };
}

void stream_of(const run_registry& runs, const http::request& asked, const answering& answer) {
  const auto run = runs.find(asked.captures.front());
  if (!run) return answer(no_such_run(asked.captures.front()));
  const bool follow = asked.parameter("follow").value_or("0") != "0";
  const auto last = count_of(asked, "last");
  if (last && asked.parameter("from")) throw bad_query{"give from= or last="};
  std::uint64_t at =
      last ? offset_of_last(run->bytes(), *last) : count_of(asked, "from").value_or(0);
  if (at > run->bytes()) return answer(http::problem(416, "from= is behind the end of the stream"));
  http::response stream;
  stream.content_type = "application/x-ndjson";
  stream.pause = between_looks;
  stream.headers.push_back(stream_offset(at));
  stream.pieces = [run, read = run->reader(), follow, at,
                   lines = line_finder{last ? at : 0}](std::string& out) mutable {
    const std::uint64_t there = run->bytes();
    const bool over = !follow || run->complete() || run->is_removed();
    if (at >= there) return !over;
    const std::size_t begin = out.size();
    out.resize(begin + std::min<std::uint64_t>(there - at, limits::read_bytes));
    const std::size_t count = read(at, {out.data() + begin, out.size() - begin});
    out.resize(begin + count);
    at += count;
    lines.keep_lines(out, begin);
    return count > 0;
  };
  answer(std::move(stream));
}

/// As ID.events beside a spool.
http::response events_of(const ingested_run& run) {
  http::response lines;
  lines.content_type = "application/x-ndjson";
  const auto& header = run.header();
  lines.body = events::begin_event(header.id, header.stack, header.labels, header.command) + "\n";
  for (const journal::kept_event& event : run.events()) {
    const auto said = upload::parse_run_event(event.json);
    if (said && said->what == upload::run_event::sort::exit) {
      lines.body += events::exit_status_event(event.offset, said->status);
    } else {
      lines.body += event.json;
    }
    lines.body += "\n";
  }
  if (run.complete()) lines.body += events::end_event(run.bytes()) + "\n";
  return lines;
}

http::response no_content() {
  http::response done;
  done.status = 204;
  return done;
}

}  // namespace

void add_run_routes(http::router& routes, run_registry& runs, const redact::rules& rules,
                    sender_finder sender) {
  routes.answer_later(
      "GET", "/v1/runs", checked([&runs](const http::request& asked, const answering& answer) {
        runs.list(query_of(asked),
                  [answer](const run_registry::run_page& page) { answer(page_of(page)); });
      }));
  const auto open = [&runs, &rules, sender = std::move(sender)](const http::request& asked)
      -> std::variant<http::response, std::unique_ptr<http::body_taker>> {
    if (runs.is_draining()) return restarting();
    try {
      stream_name name{asked.parameter("stack").value_or(""), labels_of(asked), std::nullopt};
      if (name.stack.size() > limits::stack_bytes) throw bad_query{"stack= is too long"};
      if (const auto word = asked.parameter("command"); word && !word->empty()) {
        name.command = feed::parse_run_command(*word).value_or(feed::run_command::other);
      }
      return make_whole_stream(runs, rules, std::move(name), sender(asked), may_be_named::no);
    } catch (const bad_query& bad) {
      return http::problem(400, bad.sentence);
    }
  };
  routes.take("PUT", "/v1/runs", {std::numeric_limits<std::uint64_t>::max(), std::nullopt}, open);
  routes.answer_later("GET", "/v1/runs/*/stream.jsonl",
                      checked([&runs](const http::request& asked, const answering& answer) {
                        stream_of(runs, asked, answer);
                      }));
  routes.get("/v1/runs/*/events.jsonl", [&runs](const http::request& asked) {
    const auto run = runs.find(asked.captures.front());
    return run ? events_of(*run) : no_such_run(asked.captures.front());
  });
  routes.answer_later(
      "DELETE", "/v1/runs/*", [&runs](const http::request& asked, const answering& answer) {
        const auto run = runs.find(asked.captures.front());
        if (!run) return answer(no_such_run(asked.captures.front()));
        runs.remove(run->id(), journal::removed_by::person, [answer](const std::string& failure) {
          answer(failure.empty() ? no_content() : no_room(nullptr, failure));
        });
      });
  routes.answer_later("POST", "/v1/reindex",
                      [&runs](const http::request&, const answering& answer) {
                        runs.reindex([answer](const std::string& failure) {
                          answer(failure.empty() ? no_content() : no_room(nullptr, failure));
                        });
                      });
  add_run_reads(routes, [&runs](const std::string& id) { return runs.readable(id); });
}

}  // namespace tofud::serve
