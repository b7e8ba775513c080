#include "daemon/serve/answers.hpp"

#include "daemon/cluster/errors.hpp"
#include "daemon/http/limits.hpp"
#include "daemon/serve/limits.hpp"
#include "protocol/json/quote.hpp"

namespace tofud::serve {
namespace {

void add_offset(http::response& answer, const ingested_run& run) {
  answer.headers.push_back({"Upload-Offset", std::to_string(run.kept_bytes())});
  answer.headers.push_back({"Upload-Complete", run.complete() ? "?1" : "?0"});
}

}  // namespace

http::response acknowledged(const ingested_run& run) {
  http::response answer;
  answer.status = 204;
  add_offset(answer, run);
  return answer;
}

http::response conflict(std::string_view code, std::string_view message, const ingested_run* run,
                        std::optional<std::uint64_t> at) {
  http::response answer;
  answer.status = 409;
  answer.body = "{\"code\":";
  json::append_quoted(answer.body, code);
  if (at) answer.body += ",\"at\":" + std::to_string(*at);
  answer.body += ",\"message\":";
  json::append_quoted(answer.body, message);
  answer.body += "}\n";
  if (run != nullptr) add_offset(answer, *run);
  return answer;
}

http::response no_room(const ingested_run* run, std::string_view failure) {
  auto answer = http::problem(507, std::string{"the journal can't be written: "}.append(failure));
  answer.headers.push_back({"Retry-After", std::to_string(limits::retry_after.count())});
  if (run != nullptr) add_offset(answer, *run);
  return answer;
}

http::response not_now(const std::string& why) {
  auto answer = http::problem(503, why);
  answer.headers.push_back({"Retry-After", std::to_string(limits::retry_after.count())});
  return answer;
}

http::response restarting() {
  auto answer = http::problem(503, "this daemon is stopping; try again later");
  const auto wait = std::chrono::ceil<std::chrono::seconds>(limits::restart_spread);
  answer.headers.push_back({"Retry-After", std::to_string(wait.count())});
  return answer;
}

std::optional<http::response> refuse_one_more(live_runs& among, const std::string& sender,
                                              const std::string& name) {
  std::string why;
  switch (among.ask(sender, name)) {
    case live_runs::room::some:
      return std::nullopt;
    case live_runs::room::none:
      why = "there are " + std::to_string(among.within().all) +
            " running runs, which is the limit (limits.live_runs)";
      break;
    case live_runs::room::none_for_sender:
      why = std::to_string(among.within().of_a_sender) +
            " runs of this sender are running, which is the limit (limits.live_runs_per_address)";
      break;
    case live_runs::room::none_for_name:
      why = std::to_string(among.within().of_a_name()) + " runs of " + name +
            " are running; the rest of limits.live_runs is for others";
      break;
    case live_runs::room::too_fast:
      why = "this sender has started " + std::to_string(limits::new_runs_at_once) +
            " runs in a short time, which is the limit; one more is accepted each second";
      break;
  }
  auto full = http::problem(429, why);
  full.headers.push_back({"Retry-After", std::to_string(limits::retry_after.count())});
  return full;
}

std::optional<http::response> refuse_for_memory(const std::string& why) {
  if (why.empty()) return std::nullopt;
  auto full = http::problem(503, why);
  full.headers.push_back({"Retry-After", std::to_string(limits::retry_after.count())});
  return full;
}

std::optional<http::response> why_not_shown(const kept_streams& runs, const ingested_run& run) {
  const std::string wrong = runs.why_unreadable(run.id());
  if (!wrong.empty()) return http::problem(409, wrong);
  return refuse_for_memory(runs.why_no_room_for(run.id()));
}

std::optional<http::response> refuse_stack(const access::principal& by, std::string_view stack) {
  if (!by.within || by.within->holds(stack)) return std::nullopt;
  const std::string named =
      stack.empty() ? "a run without a stack" : "runs of " + std::string{stack};
  return http::problem(403, by.who + " may not send " + named + ", only of " + to_text(*by.within) +
                                "; name another stack (--stack), or ask for another token");
}

http::response no_such_run(std::string_view id) {
  return http::problem(404, "no run " + std::string{id} + "; /v1/runs lists them");
}

http::response not_stored(const ingested_run& run, const text::failure& why) {
  if (why.is(cluster::error::other_writer)) return conflict("busy", why.text(), &run);
  // He began it on another daemon as well, and goes on there.
  if (why.is(cluster::error::made_elsewhere)) return no_such_run(run.id());
  return no_room(&run, why.text());
}

http::response was_removed(std::string_view id) {
  return http::problem(410, "run " + std::string{id} + " was removed from this daemon");
}

}  // namespace tofud::serve
