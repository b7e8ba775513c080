#include "protocol/plan/document_kind.hpp"

#include "protocol/json/ranges.hpp"

#include <algorithm>

namespace tofud::plan {

document_kind kind_of(std::string_view text) {
  const auto members = json::members_of(text);
  if (!members) {
    // The first of several objects, one a line.
    const auto first = json::members_of(text.substr(0, text.find('\n')));
    const bool message = first && std::any_of(first->begin(), first->end(), [](const auto& each) {
                           return each.key == "@level";
                         });
    return message ? document_kind::stream : document_kind::other;
  }
  const auto has = [&](std::string_view name) {
    return std::any_of(members->begin(), members->end(),
                       [&](const json::range& each) { return each.key == name; });
  };
  if (has("@level")) return document_kind::stream;
  if (has("provider_schemas")) return document_kind::provider_schemas;
  if (has("lineage") && has("serial")) return document_kind::state_file;
  for (const std::string_view name : {"resource_changes", "planned_values", "output_changes",
                                      "configuration", "resource_drift", "prior_state"})
    if (has(name)) return document_kind::plan;
  return has("format_version") ? document_kind::state : document_kind::other;
}

}  // namespace tofud::plan
