#include "daemon/serve/read_preparation.hpp"

#include "daemon/serve/answers.hpp"
#include "protocol/feed/request.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::serve {
namespace {

using segments = std::vector<std::string>;  // of a path, decoded as the router does it

bool is_feed(const segments& at) { return at == segments{"v1", "stream"}; }

/// The run a request is about: of its query on the feed, of its path elsewhere.
std::string run_asked_for(const http::request& asked, const segments& at) {
  if (is_feed(at)) return asked.parameter("run").value_or("");
  return at.size() > 2 && at[0] == "v1" && at[1] == "runs" ? at[2] : "";
}

/// Where a subscriber of the feed goes on; 0: he begins.
feed::sequence resumes_at(const http::request& asked, const segments& at) {
  if (!is_feed(at)) return 0;
  const std::string said{asked.count("last-event-id") > 0
                             ? std::string{asked.first("last-event-id")}
                             : asked.parameter("since").value_or("")};
  const auto position = feed::parse_position(said);
  return position ? position->seq : 0;
}

/// Reads of a stream's bytes need no fold.
bool needs_rows(const segments& at) {
  const std::string_view last = at.empty() ? std::string_view{} : at.back();
  return last != "stream.jsonl" && last != "events.jsonl" && last != "lines";
}

/// What shows stacks: who sees some of them has a wall of his own.
bool needs_wall(const http::request& asked, const segments& at) {
  if (is_feed(at)) return asked.parameter("run").value_or("").empty();
  const bool are_data = at.size() > 1 && at[0] == "v1" && at[1] == "stacks";
  return are_data || at == segments{"wall", "plain"} || at == segments{"runs"} ||
         (!at.empty() && at.size() <= 2 && at[0] == "stacks");
}

/// What a sender says of a run.
bool is_sent(const http::request& asked, const segments& at) {
  if (at.size() < 4 || at[0] != "v1" || at[1] != "runs") return false;
  return at[3] == "lines" ||
         (asked.method != "GET" && (at[3] == "events" || at[3] == "attachments"));
}

/// True: it is there. Else `ready` is called later.
bool load_run(kept_streams& runs, const http::request& asked, const segments& at,
              const http::router::when_ready& ready) {
  const access::principal& by = access::asking(asked);
  const std::string run = run_asked_for(asked, at);
  const auto found = run.empty() ? nullptr : runs.find(run, by);
  if (!found) return true;
  if (!needs_rows(at)) {
    if (!found->is_partial()) return true;
    runs.bring(found->id(), [ready] { ready(std::nullopt); });
    return false;
  }
  if (found->is_loaded() && !found->is_partial()) {
    // Who was further on another daemon is not to begin anew because this one has not heard of it.
    const auto* shown = runs.shown().of_id(run);
    const bool lags = runs.is_shared() && !found->complete() && shown != nullptr &&
                      shown->live != nullptr && resumes_at(asked, at) > shown->live->topic.head();
    if (!lags) return true;
    runs.bring(found->id(), [ready] { ready(std::nullopt); });
    return false;
  }
  if (auto refused = why_not_shown(runs, *found)) return ready(std::move(refused)), false;
  runs.load(found->id(), [ready] { ready(std::nullopt); });
  return false;
}

/// The same of a run that other daemons may have.
bool find_run(kept_streams& runs, const http::request& asked, const segments& at,
              const http::router::when_ready& ready) {
  const std::string run = run_asked_for(asked, at);
  if (is_sent(asked, at)) {
    if (runs.may_take(run)) return true;
    runs.take_over(run, ready);
    return false;
  }
  if (run.empty() || run == "latest" || runs.of_id(run)) return load_run(runs, asked, at, ready);
  runs.find_elsewhere(run, [&runs, asked, at, ready](const text::failure& failure) {
    if (!failure.empty() && !runs.of_id(run_asked_for(asked, at)))
      return ready(not_now(failure.text()));
    if (load_run(runs, asked, at, ready)) ready(std::nullopt);
  });
  return false;
}

}  // namespace

void prepare_for_reads(http::router& routes, kept_streams& runs) {
  routes.before([&runs](const http::request& asked, http::router::when_ready ready) {
    const access::principal& by = access::asking(asked);
    const auto at = http::segments_of(asked.path);
    const bool is_read = asked.method == "GET" || asked.is_head();
    if (!is_read)
      return !runs.is_shared() || !is_sent(asked, at) || find_run(runs, asked, at, ready);
    if (needs_wall(asked, at) && !runs.walls().is_ready(by)) {
      runs.walls().prepare(by, [ready = std::move(ready)](bool is_there) {
        ready(is_there ? std::nullopt
                       : refuse_for_memory("more parts of the stacks are being watched than this "
                                           "daemon has walls for; try again later"));
      });
      return false;
    }
    if (needs_wall(asked, at) && runs.is_shared() && resumes_at(asked, at) > 0) {
      runs.walls().when_at(by, resumes_at(asked, at), [ready] { ready(std::nullopt); });
      return false;
    }
    return runs.is_shared() ? find_run(runs, asked, at, ready) : load_run(runs, asked, at, ready);
  });
}

}  // namespace tofud::serve
