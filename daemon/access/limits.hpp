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

/// Of a pattern for stacks: more than any stack's name needs.
inline constexpr std::size_t stack_pattern_bytes = 512;
/// Of one token: each is asked about every run that its holder might see.
inline constexpr std::size_t stack_patterns = 64;

/// `tofud token ls` shows when a token was used, to the minute; so does the daemon note it.
inline constexpr std::chrono::minutes token_use_told_every{1};
/// A token lives so long if nobody says how long: a quarter, after which somebody looks whether it
/// is still needed.
inline constexpr std::chrono::hours token_age{90 * 24};
/// Before a token ends its holder and the administrator are told.
inline constexpr std::chrono::hours token_ends_soon{14 * 24};

/// After which somebody asks again whose token nobody could verify at that moment: keys of an
/// issuer come within a second.
inline constexpr std::chrono::seconds issuer_asked_again{2};

/// Browsers that are logged in. The oldest goes; who had it logs in again.
inline constexpr std::size_t sessions = 1000;
/// A working week with its weekend: a wall on a screen should not ask for a token every morning.
inline constexpr std::chrono::hours session_age{7 * 24};

/// Links that were asked for and not opened yet.
inline constexpr std::size_t login_links = 100;
/// From `tofud open` to a browser that has started, or to a message that somebody reads.
inline constexpr std::chrono::minutes login_link_age{5};

}  // namespace tofud::limits
