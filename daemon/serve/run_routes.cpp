#include "daemon/serve/run_routes.hpp"

#include "daemon/api/feed_route.hpp"
#include "daemon/api/history_reads.hpp"
#include "daemon/api/run_listing.hpp"
#include "daemon/api/run_question.hpp"
#include "daemon/api/run_reads.hpp"
#include "daemon/api/stream_reads.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/http/coroutine.hpp"
#include "daemon/operations/utc_now.hpp"
#include "daemon/serve/answers.hpp"
#include "daemon/serve/whole_stream.hpp"
#include "protocol/events/event.hpp"
#include "protocol/events/known_run.hpp"
#include "protocol/feed/limits.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace tofud::serve {

namespace asio = boost::asio;
namespace {

constexpr std::chrono::milliseconds between_looks{100};

http::response page_of(const kept_streams::run_page& page) {
  if (page.trouble == journal::query_trouble::bad_query)
    return http::problem(400, page.failure.text());
  if (page.trouble != journal::query_trouble::none) return http::problem(503, page.failure.text());
  listed_runs_text text;
  for (const registry::shown_run* shown : page.runs) text.add(shown->view());
  http::response list;
  list.body = std::move(text).end(page.next, page.counts);
  return list;
}

http::response no_content() {
  http::response done;
  done.status = 204;
  return done;
}

net::task<http::response> list(kept_streams& runs, http::request asked) {
  std::optional<feed::run_query> query;
  std::string wrong;
  try {
    query = runs_asked_for(asked, operations::utc_now());
  } catch (const bad_question& bad) {
    wrong = bad.sentence;
  }
  if (!query) co_return http::problem(400, wrong);
  auto listing = runs.list(std::move(*query), access::asking(asked));
  const kept_streams::run_page page = co_await std::move(listing);
  co_return page_of(page);
}

/// The copy in the archive goes first. Where it can't, the run is still here to be asked for again,
/// and whoever asks is told that a copy is left.
net::task<http::response> remove(kept_streams& runs, archive::archiver& archive,
                                 http::request asked) {
  const auto run = runs.find(asked.captures.front(), access::asking(asked));
  if (!run) co_return no_such_run(asked.captures.front());
  const std::string keeps = asked.parameter("archive").value_or("remove");
  if (keeps != "remove" && keeps != "keep")
    co_return http::problem(400, "archive= is remove or keep");
  const std::string id = run->id();
  if (keeps == "remove") {
    auto removing = archive.remove(id);
    const text::failure failure = co_await std::move(removing);
    if (!failure.empty()) co_return http::problem(502, failure.text());
  }
  auto removing = runs.remove(id, journal::removed_by::person);
  const text::failure failure = co_await std::move(removing);
  archive.let_go(id);
  if (!failure.empty()) co_return no_room(nullptr, failure.text());
  co_return no_content();
}

net::task<http::response> reindex(kept_streams& runs, http::request asked) {
  if (const auto id = asked.parameter("run")) {
    if (!runs.read_again(*id, access::asking(asked))) co_return no_such_run(*id);
    co_return no_content();
  }
  auto emptying = runs.reindex();
  const text::failure failure = co_await std::move(emptying);
  if (!failure.empty()) co_return no_room(nullptr, failure.text());
  co_return no_content();
}

/// Throws bad_question.
net::task<http::response> stream_of(kept_streams& runs, http::request asked) {
  const auto run = runs.find(asked.captures.front(), access::asking(asked));
  if (!run) co_return no_such_run(asked.captures.front());
  const bool follow = asked.parameter("follow").value_or("0") != "0";
  const auto last = number_asked_for(asked, "last");
  if (last && asked.parameter("from")) throw bad_question{"give from= or last="};
  std::uint64_t at =
      last ? offset_of_last(run->kept_bytes(), *last) : number_asked_for(asked, "from").value_or(0);
  if (at > run->kept_bytes()) co_return http::problem(416, "from= is after the end of the stream");
  const files::stream_bytes read = run->reader();
  if (at > 0 && run->complete()) {
    // In a compressed stream whose places are lost all that is before it has to be unpacked.
    std::function<bool()> seek = [read, at] {
      std::vector<char> before(std::min<std::uint64_t>(at, limits::read_bytes));
      return read(at - before.size(), before) == before.size();
    };
    auto seeking = runs.worker().result_of(std::move(seek));
    co_await std::move(seeking);
  }
  http::response stream;
  stream.content_type = "application/x-ndjson";
  stream.pause = between_looks;
  stream.headers.push_back(stream_offset(at));
  stream.pieces = [run, read, follow, at,
                   lines = line_finder{last ? at : 0}](std::string& out) mutable {
    const std::uint64_t there = run->kept_bytes();
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
  co_return stream;
}

net::task<http::response> stream_or_refusal(kept_streams& runs, http::request asked) {
  try {
    auto opening = stream_of(runs, std::move(asked));
    co_return co_await std::move(opening);
  } catch (const bad_question& bad) {
    co_return http::problem(400, bad.sentence);
  }
}

/// As ID.events beside a spool.
http::response events_of(const ingested_run& run) {
  http::response lines;
  lines.content_type = "application/x-ndjson";
  const auto& header = run.header();
  const auto add = [&lines](std::uint64_t offset, events::body said) {
    lines.body += events::text_of({offset, std::move(said)}) + "\n";
  };
  add(0, events::begin{header.id, header.stack, labels_of(header), header.command});
  for (const journal::kept_event& event : run.events()) {
    const auto said = events::parse(event.json);
    const auto* label = said ? std::get_if<events::label>(&said->what) : nullptr;
    if (label != nullptr && is_granted(header, label->key)) continue;
    const auto* status = said ? std::get_if<events::exit_status>(&said->what) : nullptr;
    if (status != nullptr)
      add(event.offset, *status);
    else
      lines.body += event.json + "\n";
  }
  if (run.complete()) add(run.kept_bytes(), events::end{});
  return lines;
}

}  // namespace

void add_run_routes(http::router& routes, asio::io_context& io, kept_streams& runs,
                    const redact::rules& rules, sender_finder sender, long_reads& reads,
                    fanout::hub& hub, archive::archiver& archive) {
  routes.answer_later("GET", "/v1/runs", http::answered_by(io, [&runs](http::request asked) {
                        return list(runs, std::move(asked));
                      }));
  const auto open = [&io, &runs, &rules, sender = std::move(sender)](const http::request& asked)
      -> std::variant<http::response, std::unique_ptr<http::body_taker>> {
    if (runs.is_draining()) return restarting();
    try {
      stream_name name{asked.parameter("stack").value_or(""), labels_asked_for(asked),
                       std::nullopt};
      if (name.stack.size() > limits::stack_bytes) throw bad_question{"stack= is too long"};
      if (const auto word = asked.parameter("command"); word && !word->empty()) {
        name.command = feed::parse_run_command(*word).value_or(feed::run_command::other);
      }
      const access::principal& by = access::asking(asked);
      stream_owner of{sender(asked), access::lasting_name(by)};
      if (by.within) of.granted = by.within->labels;
      of.verified = by.verified;
      of.refused = refuse_stack(by, name.stack);
      return make_whole_stream(io, runs, rules, std::move(name), std::move(of), may_be_named::no);
    } catch (const bad_question& bad) {
      return http::problem(400, bad.sentence);
    }
  };
  routes.take("PUT", "/v1/runs", {std::numeric_limits<std::uint64_t>::max(), std::nullopt}, open);
  routes.answer_later("GET", "/v1/runs/*/stream.jsonl",
                      http::answered_by(io, [&runs](http::request asked) {
                        return stream_or_refusal(runs, std::move(asked));
                      }));
  routes.get("/v1/runs/*/events.jsonl", [&runs](const http::request& asked) {
    const auto run = runs.find(asked.captures.front(), access::asking(asked));
    return run ? events_of(*run) : no_such_run(asked.captures.front());
  });
  routes.answer_later("DELETE", "/v1/runs/*",
                      http::answered_by(io, [&runs, &archive](http::request asked) {
                        return remove(runs, archive, std::move(asked));
                      }));
  routes.answer_later("POST", "/v1/reindex", http::answered_by(io, [&runs](http::request asked) {
                        return reindex(runs, std::move(asked));
                      }));
  add_history_route(
      routes, [&runs](const history::report_query& query, const access::principal& by, auto found) {
        runs.find_history(query, by, std::move(found));
      });
  const run_finder find = [&runs](const std::string& id, const access::principal& by) {
    return runs.shown().readable(id, by);
  };
  const past_estimate_maker expected = [&runs](const std::string& run) {
    return runs.past().of(run);
  };
  const auto viewers = [&runs](const http::request& asked) { return runs.viewer_of(asked); };
  add_feed_route(routes, hub, viewers, find, reads, expected);
  add_run_reads(routes, find, reads, expected);
}

}  // namespace tofud::serve
