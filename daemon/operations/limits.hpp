// Limits of daemon/operations, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// Lines of one kind in the log, in so long a time: enough to see what goes wrong, too few to fill
/// a disk or a journal when a thousand clients meet the same fault.
inline constexpr std::uint64_t log_lines = 20;
inline constexpr std::chrono::seconds log_window{10};
/// Longest text of a line. A pipe takes this much in one piece or not at all.
inline constexpr std::size_t log_line_bytes = 2 * kib;
/// Standard error that takes nothing for so long costs the line, not the loop.
inline constexpr std::chrono::milliseconds log_patience{100};

}  // namespace tofud::limits
