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
  if (!run.planned) return;
  const feed::change_counts none{};
  // An output that would change was seen before the counts, or comes later: it is not taken back.
  facts.has_changes = facts.has_changes.value_or(false) || *run.planned != none;
}

bool take(run_facts& facts, const feed::diagnostic_row& diagnostic) {
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

void take(run_facts& facts, const feed::output_row& output) {
  const bool changes =
      output.action == "create" || output.action == "update" || output.action == "delete";
  if (changes) facts.has_changes = true;
}

}  // namespace tofud::wall
