// Limits of daemon/files, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// Storing stops when less than the smaller of these is free: the disk is the apply's, not ours.
inline constexpr std::uint64_t free_bytes = 512 * mib;
inline constexpr unsigned free_percent = 5;

/// The worker reads the spool in pieces of this size, so that sockets get their turn between them.
inline constexpr std::size_t read_bytes = 256 * kib;

/// Files beside a spool: a mask file holds an environment's secrets, certificates among them.
inline constexpr std::size_t beside_bytes = 16 * mib;

}  // namespace tofud::limits
