// What can be wrong with the state that a run is recovered into.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::recovery {

enum class error : std::uint8_t { no_state, remote_state };

/// What happened, why, and what to do, with `{}` for what it is about.
std::string_view sentence(error what);

}  // namespace tofud::recovery
