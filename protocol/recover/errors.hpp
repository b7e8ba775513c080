// What is no state that a run can be recovered into.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::recover {

enum class error : std::uint8_t {
  no_json,
  too_many_objects,
  no_resources,
  no_object,
  no_array,
  nested_too_deep,
  no_address,
  encrypted,
  other_version,
  torn,
  plan,
  no_state
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::recover
