#include "daemon/wall/changes.hpp"

#include "daemon/wall/for_the_newest.hpp"

namespace tofud::wall {
namespace {

using feed::change_link;
using feed::change_state;
using feed::run_status;

bool has_plan_file(const run_facts& run) { return run.takes_plan || !run.plan_taken.empty(); }

change_state state_of_apply(const run_facts& apply) {
  if (goes_on(apply)) return change_state::applying;
  if (apply.status == run_status::succeeded) return change_state::applied;
  return apply.plan_was_stale ? change_state::outdated : change_state::failed;
}

const run_facts* plan_by_hash(const known_runs& known, const std::string& hash) {
  const run_list* plans = known.made(hash);
  return plans == nullptr ? nullptr : newest(*plans);
}

const run_facts* plan_by_commit(const known_runs& known, const run_facts& apply) {
  if (has_plan_file(apply) || apply.commit.empty() || !apply.commit_from_ci) return nullptr;
  const run_facts* plan = nullptr;
  for_the_newest(known.of(apply.stack)->plans, [&](const run_facts& run) {
    const bool same = run.commit_from_ci && run.commit == apply.commit;
    if (same && newest_first{}(&apply, &run)) plan = &run;
    return plan != nullptr;
  });
  return plan;
}

/// The apply that a plan's state goes by; null: none yet.
const run_facts* apply_of(const known_runs& known, const run_facts& plan) {
  const run_facts* best = nullptr;
  // Of several the one that did something; the others found the plan stale, or the state locked.
  const auto consider = [&](const run_facts& apply) {
    const bool did = apply.apply_ran || apply.status == run_status::succeeded;
    if (best == nullptr || did) best = &apply;
    return did;
  };
  const run_list* takers = known.taken(plan.plan_made);
  if (takers != nullptr && plan_by_hash(known, plan.plan_made) == &plan) {
    for_the_newest(*takers, consider);
  }
  if (best != nullptr || plan.commit.empty() || !plan.commit_from_ci) return best;
  for_the_newest(known.of(plan.stack)->applies, [&](const run_facts& apply) {
    if (!newest_first{}(&apply, &plan)) return true;  // from here on all are older
    return plan_by_commit(known, apply) == &plan && consider(apply);
  });
  return best;
}

bool is_outdated(const known_runs& known, const run_facts& plan) {
  const stack_runs& stack = *known.of(plan.stack);
  const ui::time_point planned = ended(plan).value_or(began(plan));
  bool outdated = false;
  for_the_newest(stack.applies, [&](const run_facts& other) {
    const auto end = ended(other);
    outdated = other.apply_ran && (!end || *end > planned);
    return outdated;
  });
  if (outdated || plan.plan_made.empty()) return outdated;
  for_the_newest(stack.plans, [&](const run_facts& other) {
    if (!newest_first{}(&other, &plan)) return true;
    outdated = !other.plan_made.empty() && other.plan_made != plan.plan_made;
    return outdated;
  });
  return outdated;
}

feed::stack_change change_of_plan(const known_runs& known, const run_facts& plan) {
  if (const run_facts* apply = apply_of(known, plan)) {
    const bool by_hash = !plan.plan_made.empty() && apply->plan_taken == plan.plan_made;
    return {state_of_apply(*apply), plan.id, apply->id,
            by_hash ? change_link::hash : change_link::commit};
  }
  const bool is_for_somebody = !plan.plan_made.empty() && plan.has_changes.value_or(true);
  change_state state = is_for_somebody ? change_state::waiting : change_state::planned;
  if (is_outdated(known, plan)) state = change_state::outdated;
  return {state, plan.id, "", change_link::none};
}

feed::stack_change change_of_apply(const known_runs& known, const run_facts& apply) {
  feed::stack_change change{state_of_apply(apply), "", apply.id, change_link::none};
  if (const run_facts* plan = plan_by_hash(known, apply.plan_taken)) {
    change.plan_run = plan->id;
    change.linked = change_link::hash;
  } else if (const run_facts* same = plan_by_commit(known, apply)) {
    change.plan_run = same->id;
    change.linked = change_link::commit;
  }
  return change;
}

}  // namespace

std::optional<feed::stack_change> change_of(const known_runs& known, const run_facts& run) {
  if (run.stack.empty()) return std::nullopt;
  if (is_plan(run)) return change_of_plan(known, run);
  if (is_apply(run)) return change_of_apply(known, run);
  return std::nullopt;
}

std::optional<feed::stack_change> shown_change(const known_runs& known, const stack_runs& runs) {
  // What goes on comes before what waits for somebody, and that before what is past.
  const run_facts* applying = nullptr;
  for_the_newest(runs.applies, [&](const run_facts& run) {
    if (goes_on(run)) applying = &run;
    return applying != nullptr;
  });
  if (applying != nullptr) return change_of_apply(known, *applying);
  const run_facts* to_apply = nullptr;
  for_the_newest(runs.plans, [&](const run_facts& run) {
    if (!run.plan_made.empty()) to_apply = &run;
    return to_apply != nullptr;
  });
  if (to_apply != nullptr) {
    auto change = change_of_plan(known, *to_apply);
    if (change.state == change_state::waiting || change.state == change_state::applying) {
      return change;
    }
  }
  const run_facts* plan = newest(runs.plans);
  const run_facts* apply = newest(runs.applies);
  if (plan == nullptr && apply == nullptr) return std::nullopt;
  const bool plan_is_newer = apply == nullptr || (plan != nullptr && newest_first{}(plan, apply));
  return plan_is_newer ? change_of_plan(known, *plan) : change_of_apply(known, *apply);
}

}  // namespace tofud::wall
