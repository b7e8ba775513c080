// What can be wrong with a plan or a state as `tofu show -json` writes it. Each begins with its
// JSON path.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::plan {

enum class error : std::uint8_t {
  no_object,
  no_json_object,
  no_json,
  no_array,
  no_strings,
  no_string,
  too_deep,
  nested_too_deep,
  no_version,
  other_version,
  values_of_a_state,
  in_prior_state
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::plan
