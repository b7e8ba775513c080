// Limits of daemon/client, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// What logs in: a token or a ticket, and a path to go on to.
inline constexpr std::size_t login_bytes = 16 * kib;

/// For a connection, and between two pieces of an answer: a daemon that reads a large run from disk
/// takes a second, and who asked is waiting at a terminal.
inline constexpr std::chrono::milliseconds remote_wait{15'000};

/// Longest answer but for streams: a list of a thousand runs with long labels.
inline constexpr std::size_t remote_answer_bytes = 64 * mib;

/// Of an answer that are taken at once: a read of the socket's buffer.
inline constexpr std::size_t answer_piece_bytes = 64 * kib;

/// A daemon that is started again is back within this long; who follows a run there waits for it.
inline constexpr std::chrono::seconds remote_absence{60};
inline constexpr std::chrono::milliseconds remote_again{500};

}  // namespace tofud::limits
