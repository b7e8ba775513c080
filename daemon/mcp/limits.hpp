// Limits of daemon/mcp, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>

namespace tofud::limits {

/// Of a request: names, an address and a few numbers. A longer line is answered with an error and
/// passed over.
inline constexpr std::size_t mcp_request_bytes = 64 * kib;
/// Of what a tool answers: an agent pays for each word, and asks for a part if it wants more.
inline constexpr std::size_t mcp_answer_bytes = 32 * kib;

}  // namespace tofud::limits
