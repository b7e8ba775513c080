// The objects of a plan or a state with their values, for who looks for something in all of them.
#pragma once

#include "protocol/plan/plan.hpp"
#include "protocol/plan/state.hpp"
#include "protocol/schema/affected.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace tofud::diff {

/// A resource or data source; the configuration of a provider (`values` are its expressions); what
/// a resource is imported by. Valid while it is told.
struct known_object {
  std::string_view address;  // of a provider's configuration its key in the plan, "aws.west"
  std::string_view provider;
  schema::section in = schema::section::resource;
  std::string_view type;  // empty for the configuration of a provider
  schema::known_values values = {};
};

using object_sink = std::function<void(const known_object&)>;

/// As they will be: what is forgotten is left out, what is destroyed has no values.
std::optional<plan::failure> for_each_object(const plan::document& of, const object_sink& look);

/// As they are. A state has no configurations of providers.
std::optional<plan::failure> for_each_object(const plan::state_document& of,
                                             const object_sink& look);

}  // namespace tofud::diff
