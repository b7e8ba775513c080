// What is attached to a run, into its rows (decision 0023).
#include "daemon/correlator/limits.hpp"
#include "daemon/correlator/run_values.hpp"
#include "protocol/diagnostics/attribute_card.hpp"
#include "protocol/redact/hidden_literals.hpp"

#include <utility>

namespace tofud::correlator {

using feed::row_kind;

bool take(attached_values& attached, const run_attachments& known) {
  // What came first stays: rows hold views into it, and each part is attached once. (A plan that a
  // daemon masked further says the same.)
  if (!attached.known.plan) {
    attached.known.plan = known.plan;
    attached.known.order = known.order;
  }
  if (!attached.known.config) attached.known.config = known.config;
  attached.known.schemas = known.schemas;
  if (attached.known.hidden || !known.hidden) return false;
  attached.known.hidden = known.hidden;
  attached.hider.emplace(known.hidden);
  return true;
}

void attach(run_values& run, const run_attachments& known) {
  if (take(run.attached, known)) hide_rows(run);
  for (auto& diagnostic : run.rows.diagnostics) {
    if (set_facts(run.attached, diagnostic.row)) touch(run, diagnostic.number);
  }
  if (!run.attached.known.plan && !run.attached.known.config) return;
  if (run.attached.known.plan && !run.totals.planned && applies_saved_plan(run))
    add_planned_rows(run);
  for (resource_state& resource : run.rows.resources) {
    if (set_facts(run, resource)) touch(run, resource);
  }
  begin_causes_again(run);
}

namespace {

planned_facts facts_of_plan(run_values& run, const resource_state& resource) {
  std::span<const attachments::plan_facts::change> facts;
  if (run.attached.known.plan) facts = run.attached.known.plan->of(resource.row.addr);
  return {facts, facts.empty() ? nullptr : &run.attached.taken[resource.number]};
}

}  // namespace

bool set_facts(run_values& run, resource_state& resource) {
  if (!run.attached.known.plan && !run.attached.known.config) return false;
  const planned_facts facts = facts_of_plan(run, resource);
  if (!run.attached.known.config) return resource.set_facts(facts, nullptr, {});
  const bool differs = resource.set_facts(facts, run.attached.known.config->find(resource.row.addr),
                                          annotated(run.attached, resource.row.addr));
  note_names(run.attached, resource.row);
  return differs;
}

void note_names(attached_values& attached, const feed::resource_row& row) {
  auto& [owners, providers] = attached.named;
  const std::string_view owner = row.source->said.owner;
  if (!owner.empty() && owners.size() < limits::names_of_a_run) owners.insert(owner);
  if (!attached.known.config || row.provider().empty()) return;
  const auto* provider = attached.known.config->provider(row.provider());
  if (provider != nullptr && providers.size() < limits::names_of_a_run) providers.insert(provider);
}

void learn_planned(run_values& run, resource_state& resource) {
  if (!run.attached.known.plan && !run.attached.known.config) return;
  resource.learn_planned(
      facts_of_plan(run, resource),
      run.attached.known.config ? run.attached.known.config->find(resource.row.addr) : nullptr);
}

void learn_step(const attached_values& attached, resource_state& resource, feed::step& opened) {
  if (!attached.known.config) return;
  if (const auto* block = attached.known.config->find(resource.row.addr))
    resource.learn_step(opened, *block);
}

feed::annotations annotated(const attached_values& attached, std::string_view address) {
  return attached.known.config ? attached.known.config->annotated(address) : feed::annotations{};
}

bool set_facts(const attached_values& attached, feed::diagnostic_row& row) {
  if (!attached.known.schemas) return false;
  std::optional<feed::attribute_card> card = diagnostics::card_of(row, *attached.known.schemas);
  const bool differs = card != row.attribute;
  row.attribute = std::move(card);
  return redact::hide_sensitive(row, *attached.known.schemas) || differs;
}

bool applies_saved_plan(const run_values& run) {
  return run.attached.known.plan && !run.attached.plan_laid &&
         run.course.phase == feed::run_phase::apply && !run.course.plan_summary &&
         !run.course.refreshed;
}

namespace {

void lay_output(run_values& run, const attachments::plan_facts::output& planned) {
  if (run.rows.by_output.contains(planned.name)) return;
  const auto number = new_row(run, row_kind::output, run.rows.outputs.size());
  if (!number) return;
  run_rows::output_entry& added = run.rows.add_output(*number, planned.name);
  added.row.action = planned.action;
  added.row.sensitive = planned.sensitive;
  touch(run, *number);
}

}  // namespace

void add_planned_rows(run_values& run) {
  run.attached.plan_laid = true;
  run.totals.planned = run.attached.known.plan->counts();
  bool made = false;
  for (const auto& drift : run.attached.known.plan->drifts()) {
    resource_state* resource = resource_at(run, drift.address, drift.index, made);
    if (resource == nullptr || !resource->row.drift.empty()) continue;
    resource->row.drift = drift.action;
    run.course.drift = true;
    touch(run, *resource);
  }
  for (const auto& change : run.attached.known.plan->changes()) {
    if (!change.unsaid) continue;
    resource_state* resource = resource_at(run, change.address, change.index, made);
    if (resource == nullptr || !resource->row.plan.empty()) continue;
    resource->plan({change.action, feed::planned_details{change.reason, change.previous_address}});
    set_facts(run, *resource);
    run.rows.stateless.push_back(resource->number);
    touch(run, *resource);
  }
  for (const auto& output : run.attached.known.plan->outputs()) lay_output(run, output);
}

}  // namespace tofud::correlator
