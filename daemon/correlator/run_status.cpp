// What a run was, and how it ended: inferred from the stream where nobody tells
// (design: run status, command).
#include "daemon/correlator/run_state.hpp"

namespace tofud::correlator {

using feed::run_command;
using feed::run_status;

feed::run_status run_state::infer_status() const {
  using enum run_status;
  if (exit_status_) {
    if (*exit_status_ == 0) return succeeded;
    if (*exit_status_ == 2 && command() == run_command::plan) return succeeded;
  }
  const run_status good = exit_status_ ? failed : succeeded;
  if (!test_status_.empty()) {
    if (test_status_ == "pass" || test_status_ == "skip" || test_status_ == "pending")
      return succeeded;
    return interrupted_ ? interrupted : failed;
  }
  if (errors_ > 0 || apply_errored_ || cancelled_) {
    return interrupted_ || cancelled_ ? interrupted : failed;
  }
  if (broken_off_ && !facts_.apply_summary && !output_values_) {
    return interrupted_ ? interrupted : lost;
  }
  const bool only_planned = plan_summary_ && !facts_.apply_ran;
  if (facts_.apply_summary || output_values_ || only_planned) return good;
  if (interrupted_) return interrupted;
  if (last_says_all_ && open_steps_ == 0) return good;
  if (messages_ > 0) return lost;
  // Text alone, or nothing, does not tell how it ended.
  return exit_status_ ? failed : unknown;
}

feed::run_command run_state::command() const {
  using enum run_command;
  if (identity_.command) return *identity_.command;
  if (tested_) return test;
  if (destroy_summary_) return destroy;
  if (facts_.apply_ran) return apply;
  if (plan_summary_ || planned_change_ || drift_) return plan;
  if (refreshed_ && output_values_) return refresh;
  return other;
}

}  // namespace tofud::correlator
