// What can be wrong with the history of a machine.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::history {

enum class error : std::uint8_t { not_written, not_read, newer, not_told };

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::history
