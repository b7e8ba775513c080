#include "daemon/wall/outcome.hpp"

#include "daemon/wall/for_the_newest.hpp"

#include <algorithm>

namespace tofud::wall {

using feed::run_command;
using feed::run_status;

namespace {

bool is_failure(run_status status) {
  return status == run_status::failed || status == run_status::interrupted ||
         status == run_status::lost;
}

}  // namespace

int weight(const run_facts& run) {
  const bool went_through = run.status == run_status::succeeded && is_apply(run);
  if (run.apply_ran || went_through) return 3;
  if (run.command == run_command::test) return 1;
  return feed::stands_aside(run.command) ? 0 : 2;
}

std::optional<feed::stack_outcome> outcome_of(const run_list& runs) {
  std::optional<feed::stack_outcome> outcome;
  int best = -1;  // weight of the successes so far, all of them later than what comes
  for_the_last_to_end(runs, [&](const run_facts& run) {
    if (goes_on(run)) return false;
    const bool failed = is_failure(run.status);
    if (failed && weight(run) <= best) {
      if (outcome->superseded_runs++ == 0) outcome->superseded = run.id;
      return false;
    }
    if (failed || !outcome) {
      outcome = feed::stack_outcome{run.id, run.status, run.command, run.ended_at, "", 0};
    }
    if (failed) return true;
    if (run.status != run_status::unknown) best = std::max(best, weight(run));
    return false;
  });
  return outcome;
}

}  // namespace tofud::wall
