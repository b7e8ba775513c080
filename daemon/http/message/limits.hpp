// Limits of daemon/http/message, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Empty lines before a request, which RFC 9112, 2.2 tells a server to ignore: old clients sent one
/// behind a body.
inline constexpr std::size_t blank_lines = 8;

/// What the lines that frame a chunked body may have beyond 16 bytes and twice the content of each
/// chunk. Extensions mean nothing to anybody; one byte a chunk is what streams send at worst.
inline constexpr std::size_t chunk_overhead_bytes = 16 * kib;

/// For so long a browser remembers that a page of another server may ask, and does not ask whether
/// it may before each request; an origin that is taken off the list is refused all the same.
inline constexpr std::chrono::seconds preflight_age{600};

/// What stands behind a chunked body. Nobody sends any, and it means nothing here.
inline constexpr std::size_t trailer_bytes = 16 * kib;

/// One process may hold 20,000 descriptors in reserve of the usual hard limit; a wall needs tens.
inline constexpr std::size_t connections = 12'000;

/// Of one address, or one IPv6 network of 64 bits, which is what one customer has: a browser opens
/// six and a wall has some pages; an office behind one address has dozens. Not of this machine:
/// its processes were let in by name, and a proxy here speaks for everybody.
inline constexpr std::size_t connections_per_address = 64;

/// A body of which nothing comes for so long belongs to a client that is gone.
inline constexpr std::chrono::milliseconds body_stalled_after{30'000};

/// Runs that go on at a time: each has a fold in memory.
inline constexpr std::size_t live_runs = 1000;

/// Of these, of one sender, so that a loop gone wild does not take the room of all others: what a
/// matrix of CI jobs starts at once.
inline constexpr std::size_t live_runs_per_address = 50;

}  // namespace tofud::limits
