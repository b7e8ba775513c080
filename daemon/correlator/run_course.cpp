#include "daemon/correlator/run_course.hpp"

namespace tofud::correlator {

using feed::run_command;
using feed::run_status;

void run_totals::add(const resource_state::share& share, std::uint64_t one) {
  // Unsigned arithmetic wraps, so `one` may be minus one.
  if (!share.status) return;
  counts[static_cast<std::size_t>(*share.status)] += one;
  open_steps += one * share.open;
  open_changes += one * share.open_changes;
  if (share.drifted) drifted += one;
  if (!share.owes_change) return;
  progress_total += one;
  if (*share.status == feed::resource_status::done) progress_done += one;
}

run_status inferred_status(const run_course& course, const run_totals& totals,
                           run_command command) {
  using enum run_status;
  if (course.exit_status) {
    if (*course.exit_status == 0) return succeeded;
    if (*course.exit_status == 2 && command == run_command::plan) return succeeded;
  }
  const run_status good = course.exit_status ? failed : succeeded;
  if (!course.test_status.empty()) {
    if (course.test_status == "pass" || course.test_status == "skip" ||
        course.test_status == "pending")
      return succeeded;
    return course.interrupted ? interrupted : failed;
  }
  if (totals.errors > 0 || course.errored || course.cancelled) {
    return course.interrupted || course.cancelled ? interrupted : failed;
  }
  if (course.broken_off && !course.facts.apply_summary && !course.output_values) {
    return course.interrupted ? interrupted : lost;
  }
  const bool only_planned = course.plan_summary && !course.facts.apply_ran;
  if (course.facts.apply_summary || course.output_values || only_planned) return good;
  if (course.interrupted) return interrupted;
  if (course.last_says_all && totals.open_steps == 0) return good;
  if (totals.messages > 0) return lost;
  // Text alone, or nothing, does not tell how it ended.
  return course.exit_status ? failed : unknown;
}

run_command inferred_command(const run_course& course) {
  using enum run_command;
  if (course.tested) return test;
  if (course.destroy_summary) return destroy;
  if (course.facts.apply_ran) return apply;
  if (course.plan_summary || course.planned_change || course.drift) return plan;
  if (course.refreshed && course.output_values) return refresh;
  if (course.initialised) return init;
  return other;
}

}  // namespace tofud::correlator
