// One entry of `resource_changes` or `resource_drift`, and a change of an output.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/plan/failure.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::plan {

/// What `actions` says, as one word.
enum class planned_action : std::uint8_t {
  none,
  create,
  read,
  update,
  remove,
  remove_then_create,
  create_then_remove,
  forget,
  forget_then_create,
  unknown,  // none of these: a newer OpenTofu's
};

/// Views into a parsed document, as all of this.
struct change {
  planned_action action = planned_action::none;
  json::value before, after, after_unknown, before_sensitive, after_sensitive, replace_paths;
  json::value importing;         // an object, or empty
  json::value generated_config;  // a string, or empty
  json::value before_identity, after_identity;
};

struct resource_change {
  std::string_view address, previous_address, module_address, mode, type, name, deposed,
      provider_name, action_reason;
  json::value index;  // a number or string, or empty
  plan::change change;
};

/// `path` is where the value stands, such as "resource_changes[3]"; a failure begins with it.
result<resource_change> read_resource_change(json::value from, const std::string& path);
result<change> read_change(json::value from, const std::string& path);

bool replaces(planned_action done);

}  // namespace tofud::plan
