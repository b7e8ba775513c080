// What is attached to a run, into its rows (decision 0023).
#include "daemon/correlator/run_state.hpp"
#include "protocol/diagnostics/attribute_card.hpp"
#include "protocol/redact/hidden_literals.hpp"

#include <utility>

namespace tofud::correlator {

using feed::row_kind;

void run_state::attach(const run_attachments& known) {
  // What came first stays: rows hold views into it, and each part is attached once. (A plan that a
  // daemon masked further says the same.)
  if (!attached_.plan) attached_.plan = known.plan;
  if (!attached_.config) attached_.config = known.config;
  attached_.schemas = known.schemas;
  if (!attached_.hidden && known.hidden) {
    attached_.hidden = known.hidden;
    hider_.emplace(known.hidden);
    hide_rows();
  }
  for (auto& diagnostic : diagnostics_) {
    if (learn(diagnostic.row)) touch(diagnostic.number);
  }
  if (!attached_.plan && !attached_.config) return;
  if (attached_.plan && !planned_ && applies_saved_plan()) lay_plan();
  for (resource_state& resource : resources_) {
    if (learn(resource)) touch(resource);
  }
}

planned_facts run_state::facts_of_plan(const resource_state& resource) {
  std::span<const attachments::plan_facts::change> facts;
  if (attached_.plan) facts = attached_.plan->of(resource.row.addr);
  return {facts, facts.empty() ? nullptr : &taken_facts_[resource.number]};
}

bool run_state::learn(resource_state& resource) {
  if (!attached_.plan && !attached_.config) return false;
  const planned_facts facts = facts_of_plan(resource);
  if (!attached_.config) return resource.learn(facts, nullptr, {});
  return resource.learn(facts, attached_.config->find(resource.row.addr),
                        annotated(resource.row.addr));
}

void run_state::learn_planned(resource_state& resource) {
  if (!attached_.plan && !attached_.config) return;
  resource.learn_planned(facts_of_plan(resource),
                         attached_.config ? attached_.config->find(resource.row.addr) : nullptr);
}

void run_state::learn_step(resource_state& resource, feed::step& opened) const {
  if (!attached_.config) return;
  if (const auto* block = attached_.config->find(resource.row.addr))
    resource.learn_step(opened, *block);
}

feed::annotations run_state::annotated(std::string_view address) const {
  return attached_.config ? attached_.config->annotated(address) : feed::annotations{};
}

bool run_state::learn(feed::diagnostic_row& row) const {
  if (!attached_.schemas) return false;
  std::optional<feed::attribute_card> card = diagnostics::card_of(row, *attached_.schemas);
  const bool differs = card != row.attribute;
  row.attribute = std::move(card);
  return redact::hide_sensitive(row, *attached_.schemas) || differs;
}

bool run_state::applies_saved_plan() const {
  return attached_.plan && !plan_laid_ && phase_ == feed::run_phase::apply && !plan_summary_ &&
         !refreshed_;
}

void run_state::lay_plan() {
  plan_laid_ = true;
  planned_ = attached_.plan->counts();
  bool made = false;
  for (const auto& drift : attached_.plan->drifts()) {
    resource_state* resource = resource_at(drift.address, drift.index, made);
    if (resource == nullptr || !resource->row.drift.empty()) continue;
    resource->row.drift = drift.action;
    drift_ = true;
    touch(*resource);
  }
  for (const auto& change : attached_.plan->changes()) {
    if (!change.unsaid) continue;
    resource_state* resource = resource_at(change.address, change.index, made);
    if (resource == nullptr || !resource->row.plan.empty()) continue;
    resource->plan({change.action, change.reason, change.previous_address});
    learn(*resource);
    stateless_.push_back(resource->number);
    touch(*resource);
  }
  for (const auto& output : attached_.plan->outputs()) lay_output(output);
}

void run_state::lay_output(const attachments::plan_facts::output& planned) {
  if (by_output_.contains(planned.name)) return;
  const auto number = new_row(row_kind::output, outputs_.size());
  if (!number) return;
  auto& added = outputs_.emplace_back();
  added.number = *number;
  added.row.name = planned.name;
  added.row.action = planned.action;
  added.row.sensitive = planned.sensitive;
  by_output_.emplace(added.row.name, static_cast<std::uint32_t>(outputs_.size() - 1));
  touch(*number);
}

}  // namespace tofud::correlator
