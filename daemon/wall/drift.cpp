#include "daemon/wall/drift.hpp"

#include "daemon/wall/for_the_newest.hpp"
#include "daemon/wall/limits.hpp"

namespace tofud::wall {
namespace {

bool is_whole_apply(const run_facts& run) {
  return is_apply(run) && !run.is_partial && run.status == feed::run_status::succeeded;
}

/// Null: none that is known.
const run_facts* last_apply(const stack_runs& runs) {
  const run_facts* found = nullptr;
  for_the_newest(runs.applies, [&](const run_facts& run) {
    if (is_whole_apply(run)) found = &run;
    return found != nullptr;
  });
  return found;
}

/// Of what everybody has.
bool counts(const run_facts& plan, const run_facts* applied) {
  const bool has_both =
      applied != nullptr && !applied->from.branch.empty() && !plan.from.branch.empty();
  return !has_both || applied->from.branch == plan.from.branch;
}

/// Nothing has changed in the configuration since, so what it would change is drift.
bool is_of_same_commit(const run_facts& plan, const run_facts* applied) {
  return applied != nullptr && plan.commit_from_ci && applied->commit_from_ci &&
         !plan.commit.empty() && plan.commit == applied->commit;
}

}  // namespace

std::optional<feed::stack_drift> drift_of(const stack_runs& runs) {
  const run_facts* applied = last_apply(runs);
  std::optional<feed::stack_drift> found;
  // From the newest on, as long as nothing says that all is well.
  for_the_newest(
      runs.whole_plans,
      [&](const run_facts& plan) {
        if (applied != nullptr && newest_first{}(applied, &plan)) return true;
        if (!counts(plan, applied)) return false;
        const bool checks = plan.from.checks_drift || is_of_same_commit(plan, applied);
        const bool finds = plan.rows.drifted > 0 || (checks && plan.has_changes.value_or(false));
        if (!finds) return checks;
        if (!found) found = {{}, plan.id, plan.rows.drifted};
        found->since = ended(plan).value_or(began(plan));
        return false;
      },
      limits::drift_plans);
  return found;
}

}  // namespace tofud::wall
