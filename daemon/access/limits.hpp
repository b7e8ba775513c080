// Limits of daemon/access, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Of the file of tokens that is read: a line has some three hundred bytes, so thousands fit.
inline constexpr std::size_t token_file_bytes = 4 * mib;

/// Of a token's name, and of what a proxy says of a user: mail addresses have at most 254 bytes.
inline constexpr std::size_t user_bytes = 256;

/// Browsers that are logged in. The oldest goes; who had it logs in again.
inline constexpr std::size_t sessions = 1000;
/// A working week with its weekend: a wall on a screen should not ask for a token every morning.
inline constexpr std::chrono::hours session_age{7 * 24};

/// Links that were asked for and not opened yet.
inline constexpr std::size_t login_links = 100;
/// From `tofud open` to a browser that has started, or to a message that somebody reads.
inline constexpr std::chrono::minutes login_link_age{5};

}  // namespace tofud::limits
