// What can be wrong with a search among kept runs.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::spool {

enum class error : std::uint8_t { nothing_kept, not_kept, ambiguous };

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::spool
