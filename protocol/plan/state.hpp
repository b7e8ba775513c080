// A state in the JSON output format, as `tofu show -json` writes it; `prior_state` and
// `planned_values` of a plan are made of the same.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/plan/failure.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud::plan {

/// The parts of a state as they stand in its text. Views into it; those that are absent are empty.
struct state_document {
  std::string_view format_version, terraform_version, checks;
  std::string_view outputs, root_module;  // both empty: nothing is in it
};

/// Unknown members are passed over. Another major version than 1 is a failure, and so is a plan.
result<state_document> read_state(std::string_view text);

/// A module of a state: its resources and the modules it calls, each as text.
struct state_module {
  std::string address;  // empty: the root
  std::vector<std::string_view> resources, child_modules;
};

/// `path` is where the text stands, such as "values.root_module"; a failure begins with it.
result<state_module> read_state_module(std::string_view text, const std::string& path);

/// No output, no resource and no module but the root: members that are empty are as good as none.
/// What can't be read is not empty, so that somebody reads it and tells what is wrong.
bool is_empty(const state_document& state);

/// Views into a parsed document.
struct state_resource {
  std::string_view address, mode, type, name, provider_name, deposed_key;
  bool tainted = false;
  json::value index;  // a number or string, or empty
  json::value values, sensitive_values, depends_on;
};

result<state_resource> read_state_resource(json::value from, const std::string& path);

}  // namespace tofud::plan
