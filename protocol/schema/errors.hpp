// What can be wrong with what `providers schema -json` prints.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::schema {

enum class error : std::uint8_t {
  no_object,
  no_version,
  other_version,
  bad_nesting,
  no_type,
  unknown_type,
  bad_type
};

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::schema
