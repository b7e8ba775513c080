// Limits of daemon/forward, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// From the beginning of one PATCH to that of the next: what gathers meanwhile goes as one, and no
/// eye sees it.
inline constexpr std::chrono::milliseconds patch_every{25};

/// Between two tries: a random time up to the first, doubled with each failure up to the longest,
/// so that a thousand forwarders of a daemon that comes back do not all come at once.
inline constexpr std::chrono::milliseconds retry_first{500};
inline constexpr std::chrono::milliseconds retry_longest{30'000};

/// A daemon of this machine takes a connection at once or is not well.
inline constexpr std::chrono::milliseconds connect_wait{5'000};

/// From a request's first byte to the answer's last: a disk that syncs a mebibyte slowly, and the
/// five seconds that a second PATCH waits for the first.
inline constexpr std::chrono::milliseconds answer_wait{30'000};

/// Answers are a line of JSON.
inline constexpr std::size_t answer_bytes = 64 * kib;

/// Of the redacted stream in memory: what is under way, and what gathers meanwhile.
inline constexpr std::size_t upload_window_bytes = 2 * mib;

/// A forwarder that goes back redacts at most so much again before it is where it was; it remembers
/// a place per this many bytes.
inline constexpr std::size_t upload_place_every = 1 * mib;

}  // namespace tofud::limits
