#include "protocol/diff/objects.hpp"

#include "protocol/diff/resource_diff.hpp"
#include "protocol/diff/state_resources.hpp"
#include "protocol/plan/resource_change.hpp"

#include <cstddef>
#include <string>

namespace tofud::diff {
namespace {

using schema::section;

section section_of(std::string_view mode) {
  if (mode == "data") return section::data_source;
  return mode == "ephemeral" ? section::ephemeral_resource : section::resource;
}

known_object object_of(const plan::state_resource& from) {
  return {from.address, from.provider_name, section_of(from.mode), from.type, {from.values}};
}

void tell(const plan::resource_change& from, const object_sink& look) {
  using action = plan::planned_action;
  const plan::change& change = from.change;
  if (change.action == action::forget) return;
  known_object made{from.address, from.provider_name, section_of(from.mode), from.type};
  if (change.action != action::remove) made.values = {change.after, change.after_unknown};
  look(made);
  const json::value identity = change.importing["identity"];
  if (!identity) return;
  made.in = section::identity;
  made.values = {identity};
  look(made);
}

std::optional<plan::failure> tell_providers(const plan::document& of, const object_sink& look) {
  plan::part parsed;
  if (auto wrong = parsed.parse(of.configuration, "configuration")) return wrong;
  for (const json::value each : parsed.root()["provider_config"]) {
    // One without arguments has no `expressions`.
    look({each.key(), each["full_name"].text(), section::provider, {}, {each["expressions"]}});
  }
  return {};
}

std::optional<plan::failure> tell_data_sources(const plan::document& of, const object_sink& look) {
  if (of.prior_state.empty()) return {};
  const auto before = plan::read_state(of.prior_state);
  if (!before) return plan::failure{plan::error::in_prior_state, before.error()};
  return for_each_resource(*before, [&look](const plan::state_resource& each) {
    if (each.mode == "data") look(object_of(each));
  });
}

}  // namespace

std::optional<plan::failure> for_each_object(const plan::document& of, const object_sink& look) {
  if (auto wrong = tell_providers(of, look)) return wrong;
  if (auto wrong = tell_data_sources(of, look)) return wrong;
  plan::part parsed;
  for (std::size_t i = 0; i < of.resource_changes.size(); ++i) {
    const auto about =
        read(parsed, of.resource_changes[i], "resource_changes[" + std::to_string(i) + "]");
    if (!about) return about.error();
    tell(*about, look);
  }
  return {};
}

std::optional<plan::failure> for_each_object(const plan::state_document& of,
                                             const object_sink& look) {
  return for_each_resource(of,
                           [&look](const plan::state_resource& each) { look(object_of(each)); });
}

}  // namespace tofud::diff
