// Limits of daemon/spool, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstdint>

namespace tofud::limits {

/// Finished spools are kept at least a day, at most thirty, and the newest two gigabytes of them.
inline constexpr std::chrono::hours spool_min_age{24};
inline constexpr std::chrono::hours spool_max_age{30 * 24};
inline constexpr std::uint64_t spools_total_bytes = 2 * gib;

/// A keeper locks its spool right after making it; even a machine that swaps does so in this time.
inline constexpr std::chrono::seconds spool_settles{10};

}  // namespace tofud::limits
