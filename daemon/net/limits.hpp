// Limits of daemon/net, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Certificates with their chain, and bundles of authorities: a system's has 200 KiB.
inline constexpr std::size_t tls_file_bytes = 1 * mib;

/// Who renews certificates by hand needs a week or two, and reads a log once a day.
inline constexpr std::chrono::hours certificate_soon_over{14 * 24};
inline constexpr std::chrono::hours certificate_warned_every{24};

/// A request head is a URL with filters, browser headers and cookies.
inline constexpr std::size_t header_bytes = 16 * kib;
inline constexpr std::chrono::seconds header_time{5};

/// All of a body that is to be small: at 8 kB/s a mebibyte has come. Who trickles would else hold a
/// connection, and a run, for as long as it likes.
inline constexpr std::chrono::milliseconds body_time{120'000};

/// A socket that took nothing for this long is dead or stopped; it costs a cursor, or one answer,
/// so it is given the time of a laptop that sleeps and of a network that is plugged in again.
inline constexpr std::chrono::seconds stalled_after{60};

}  // namespace tofud::limits
