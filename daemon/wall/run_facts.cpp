#include "daemon/wall/run_facts.hpp"

namespace tofud::wall {

void take(run_facts& facts, const feed::run_view& run) {
  facts.command = run.command;
  facts.status = run.status;
  facts.phase = run.phase;
  facts.started_at = run.started_at;
  facts.ended_at = run.ended_at;
  facts.last_line_at = run.last_line_at;
  facts.contact = run.contact;
  facts.clock_offset = run.clock_offset;
  facts.versions.tofu = run.tofu;
  facts.versions.terraform = run.terraform;
  if (run.verified) {
    facts.from.who = run.verified->actor.empty() ? run.verified->subject : run.verified->actor;
    facts.from.who_is_verified = true;
  }
  if (!run.planned) return;
  const feed::change_counts none{};
  // An output that would change was seen before the counts, or comes later: it is not taken back.
  facts.has_changes = facts.has_changes.value_or(false) || *run.planned != none;
}

bool take(run_facts& facts, const feed::diagnostic_row& diagnostic) {
  // OpenTofu 1.12.6, internal/tofu/context_plan.go and context_apply.go, and Terraform.
  if (diagnostic.summary == "Resource targeting is in effect" ||
      diagnostic.summary == "Applied changes may be incomplete") {
    facts.is_partial = true;
    return true;
  }
  if (diagnostic.severity != "error") return false;
  if (diagnostic.summary == "Saved plan is stale") {
    facts.plan_was_stale = true;
    return true;
  }
  if (!is_lock_error(diagnostic.summary)) return false;
  facts.locked_out =
      lock_error{parse_lock_info(diagnostic.detail).value_or(lock_info{}), diagnostic.at};
  return true;
}

void take(run_facts& facts, const feed::label& label) {
  if (label.key == "commit") facts.commit = label.value;
  if (label.key == "ci") facts.commit_from_ci = true;
  if (label.key == "branch") facts.from.branch = label.value;
  if (label.key == "pr") facts.from.is_of_pull_request = !label.value.empty();
  if (label.key == "actor" && !facts.from.who_is_verified) facts.from.who = label.value;
  if (label.key == "purpose") facts.from.checks_drift = label.value == "drift";
}

void take(run_facts& facts, const feed::output_row& output) {
  const bool changes =
      output.action == "create" || output.action == "update" || output.action == "delete";
  if (changes) facts.has_changes = true;
}

}  // namespace tofud::wall
