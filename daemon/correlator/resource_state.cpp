#include "daemon/correlator/resource_state.hpp"

#include "daemon/correlator/limits.hpp"

#include <algorithm>

namespace tofud::correlator {

using feed::resource_status;
using feed::run_phase;
using feed::step;
using feed::step_action;
using feed::step_status;

namespace {

bool changes(step_action action) {
  return action == step_action::create || action == step_action::update ||
         action == step_action::remove;
}

// Steps that pay what a planned change owes.
bool pays(const step& s) {
  return (changes(s.action) || s.action == step_action::read) && s.phase == run_phase::apply;
}

}  // namespace

std::uint32_t owed_steps(std::string_view action) {
  if (action == "replace") return 2;
  return owes_change(action) || action == "read" ? 1 : 0;
}

bool owes_change(std::string_view action) {
  return action == "create" || action == "update" || action == "delete" || action == "replace" ||
         action == "noop";
}

bool resource_state::plan(const feed::planned& entry) {
  if (row.plan.size() >= limits::parts_of_resource) return false;
  tally_.owed = static_cast<std::uint16_t>(tally_.owed + owed_steps(entry.action));
  tally_.owes_change = tally_.owes_change || correlator::owes_change(entry.action);
  tally_.stateless = tally_.stateless || entry.action == "import" || entry.action == "move" ||
                     entry.action == "remove";
  row.plan.push_back(entry);
  return true;
}

bool resource_state::set_facts(const planned_facts& facts, const attachments::declared_block* block,
                               const feed::annotations& annotated) {
  bool changed = false;
  if (facts.taken != nullptr) facts.taken->assign(facts.all.size(), false);
  tally_.knows_deposed = false;
  for (feed::planned& entry : row.plan) changed = learn_entry(entry, facts) || changed;
  if (block != nullptr) changed = learn_block(*block, annotated) || changed;
  return changed;
}

// Entries with the same action can't be told apart in the stream: each gets one of the plan's.
bool resource_state::learn_entry(feed::planned& entry, const planned_facts& facts) {
  const feed::planned before = entry;
  for (std::size_t i = 0; facts.taken != nullptr && i < facts.all.size(); ++i) {
    const auto& fact = facts.all[i];
    if ((*facts.taken)[i] || fact.action != entry.action) continue;
    (*facts.taken)[i] = true;
    feed::planned_details says = *entry.says;
    says.deposed = fact.deposed;
    says.imports = fact.imports && entry.action != "import";
    says.create_before_destroy = fact.create_before_destroy || says.create_before_destroy;
    entry.says = says;
    break;
  }
  tally_.knows_deposed = tally_.knows_deposed || tells_of_deposed(entry);
  return !(before == entry);
}

bool resource_state::learn_block(const attachments::declared_block& block,
                                 const feed::annotations& annotated) {
  const feed::block_source source{block.file, block.line, annotated};
  bool changed = *row.source != source;
  row.source = source;
  for (feed::planned& entry : row.plan) {
    const bool learned = learn_order(entry, block);
    tally_.knows_deposed = tally_.knows_deposed || learned;
    changed = changed || learned;
  }
  learn_steps(block, changed);
  return changed;
}

// True if it is created before the old one is destroyed, and that was not known.
bool resource_state::learn_order(feed::planned& entry, const attachments::declared_block& block) {
  if (entry.action != "replace" || entry.says->create_before_destroy ||
      !block.create_before_destroy.value_or(false))
    return false;
  feed::planned_details says = *entry.says;
  says.create_before_destroy = true;
  entry.says = says;
  return true;
}

void resource_state::learn_steps(const attachments::declared_block& block, bool& changed) {
  for (step& each : row.steps) {
    const std::uint32_t declared = declared_for(each, block);
    changed = changed || each.declared != declared;
    each.declared = declared;
  }
}

void resource_state::learn_planned(const planned_facts& facts,
                                   const attachments::declared_block* block) {
  feed::planned& entry = row.plan.back();
  const bool before = tally_.knows_deposed || row.plan.size() > 2;
  if (facts.taken != nullptr) facts.taken->resize(facts.all.size(), false);
  learn_entry(entry, facts);
  if (block == nullptr) return;
  learn_order(entry, *block);
  tally_.knows_deposed = tally_.knows_deposed || tells_of_deposed(entry);
  bool ignored = false;
  if (before != may_be_deposed()) learn_steps(*block, ignored);
}

void resource_state::learn_step(step& opened, const attachments::declared_block& block) const {
  opened.declared = declared_for(opened, block);
}

bool resource_state::tells_of_deposed(const feed::planned& entry) {
  return !entry.says->deposed.empty() || entry.says->create_before_destroy;
}

bool resource_state::may_be_deposed() const { return tally_.knows_deposed || row.plan.size() > 1; }

// When a deposed object goes, nothing runs (recording replace-create-before-destroy): so only of a
// delete that is known to be of the current object it is known what runs.
std::uint32_t resource_state::declared_for(const step& of,
                                           const attachments::declared_block& block) const {
  if (of.action == step_action::create)
    return block.provisioners_at(config::provision_time::create);
  if (of.action != step_action::remove) return 0;
  const bool created_before = tally_.first_create > 0 && tally_.first_create < of.number;
  if (may_be_deposed() || created_before) return 0;
  return block.provisioners_at(config::provision_time::destroy);
}

step* resource_state::open_step(step_action action, run_phase phase,
                                std::optional<ui::time_point> at) {
  if (row.steps.size() + tally_.provisioners >= limits::parts_of_resource) return nullptr;
  ++tally_.open;
  step& opened = row.steps.emplace_back();
  opened.number = static_cast<std::uint32_t>(row.steps.size());
  opened.phase = phase;
  opened.action = action;
  opened.started_at = at;
  if (action != step_action::refresh) ++tally_.active;
  if (changes(action)) ++tally_.open_changes;
  if (action == step_action::create && tally_.first_create == 0)
    tally_.first_create = static_cast<std::uint16_t>(opened.number);
  return &opened;
}

feed::provisioner* resource_state::add_provisioner(step& to) {
  if (row.steps.size() + tally_.provisioners >= limits::parts_of_resource) return nullptr;
  ++tally_.provisioners;
  return &to.provisioners.emplace_back();
}

bool resource_state::add_diagnostic(std::uint32_t ordinal) {
  if (row.diagnostics.size() >= limits::parts_of_resource) return false;
  row.diagnostics.push_back(ordinal);
  return true;
}

step* resource_state::oldest_open(step_action action, std::string_view id_value) {
  step* oldest = nullptr;
  if (tally_.open == 0) return nullptr;
  for (step& candidate : row.steps) {
    if (candidate.status != step_status::running || candidate.action != action) continue;
    if (!id_value.empty() && candidate.id_value == id_value) return &candidate;
    if (oldest == nullptr) oldest = &candidate;
    if (id_value.empty()) break;
  }
  return oldest;
}

step* resource_state::provisioned_step() {
  step* found = nullptr;
  if (tally_.open == 0) return nullptr;
  for (step& candidate : row.steps) {
    if (candidate.status != step_status::running) continue;
    const bool create = candidate.action == step_action::create;
    const bool other =
        candidate.action == step_action::remove || candidate.action == step_action::update;
    const bool have_create = found != nullptr && found->action == step_action::create;
    if (create || (other && !have_create)) found = &candidate;
  }
  return found;
}

void resource_state::close_step(step& closed, step_status status, bool inferred,
                                std::optional<ui::time_point> at) {
  closed.status = status;
  closed.inferred = inferred;
  closed.ended_at = at;
  for (feed::provisioner& p : closed.provisioners) {
    if (p.status != step_status::running) continue;
    p.status = status;
    p.inferred = status != step_status::interrupted;
    p.ended_at = at;
  }
  --tally_.open;
  if (changes(closed.action)) --tally_.open_changes;
  switch (status) {
    case step_status::failed:
      ++(inferred ? tally_.failed_inferred : tally_.failed);
      break;
    case step_status::interrupted:
      ++tally_.interrupted;
      break;
    case step_status::done:
      if (pays(closed)) ++(inferred ? tally_.done_inferred : tally_.done);
      break;
    case step_status::running:
      break;
  }
}

void resource_state::identify(step& identified, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  const std::string_view known = row.id_value();
  const bool was_its_own = identified.id_value == known;
  identified.id_key = key;
  identified.id_value = value;
  if (identified.action == step_action::remove) return;
  if (identified.action == step_action::refresh) {
    tally_.many_ids = tally_.many_ids || (!known.empty() && known != value && !was_its_own);
    if (tally_.many_ids) {
      row.id_step = 0;
      return;
    }
  }
  tally_.many_ids = false;
  row.id_step = static_cast<std::uint16_t>(identified.number);
}

bool resource_state::fail_open_reads(std::optional<ui::time_point> at) {
  bool closed = false;
  if (tally_.open == 0) return closed;
  for (step& candidate : row.steps) {
    if (candidate.status != step_status::running ||
        (candidate.action != step_action::read && candidate.action != step_action::refresh))
      continue;
    close_step(candidate, step_status::failed, true, at);
    closed = true;
  }
  return closed;
}

bool resource_state::close_open(step_status status, bool inferred) {
  if (tally_.open == 0) return false;
  for (step& each : row.steps) {
    if (each.status == step_status::running) close_step(each, status, inferred, {});
  }
  return true;
}

bool resource_state::plans_nothing() const {
  return std::all_of(row.plan.begin(), row.plan.end(),
                     [](const feed::planned& each) { return each.action == "noop"; });
}

resource_state::verdict resource_state::judge(const run_facts& run) const {
  using enum resource_status;
  if (tally_.failed + tally_.failed_inferred > 0) return {failed, tally_.failed == 0};
  const std::uint32_t paid = tally_.done + tally_.done_inferred;
  const bool partly = paid > 0 && paid < tally_.owed;
  if (tally_.open > 0 || (partly && !run.over)) return {running, false};
  if (tally_.interrupted > 0) return {interrupted, false};
  if (tally_.owed > 0 && paid >= tally_.owed) return {done, tally_.done < tally_.owed};
  if (partly) return run.succeeded ? verdict{done, true} : verdict{interrupted, false};
  if (tally_.owed > 0 && run.over && run.apply_ran && run.has_gap)
    return run.succeeded ? verdict{done, true} : verdict{planned, true};
  if (tally_.owed > 0 && run.over && (!run.apply_ran || run.succeeded) && plans_nothing())
    return {unchanged, false};
  if (tally_.owed > 0) return {!run.over || !run.apply_ran ? planned : skipped, false};
  if (tally_.stateless) {
    if (run.apply_summary) return {done, true};
    if (run.over && run.apply_ran) return {skipped, true};
    return {planned, false};
  }
  if (tally_.active > 0) return {done, false};
  if (row.drift == "update" || row.drift == "delete") return {drifted, false};
  return {unchanged, false};
}

bool resource_state::update_status(const run_facts& run) {
  const verdict found = judge(run);
  if (found.status == row.status && found.inferred == row.inferred) return false;
  row.status = found.status;
  row.inferred = found.inferred;
  return true;
}

}  // namespace tofud::correlator
