// Limits of daemon/fanout, each with its reason.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// Rows looked at in one turn of the loop, about a millisecond of work.
inline constexpr std::size_t rows_per_turn = 4096;

/// Bytes of text that are held to a filter in the time of a row: some hundred nanoseconds.
inline constexpr std::size_t filtered_bytes_per_row = 256;

/// Heartbeat line when nothing else was sent: below the 30 s after which proxies cut idle streams.
inline constexpr std::chrono::milliseconds heartbeat{15'000};

/// Where changes come faster than they can be sent to all, a flush waits for a pause so long: what
/// comes in at full speed comes every millisecond.
inline constexpr std::chrono::milliseconds flush_quiet{5};

/// However long it takes to send a flush to all, the next one waits no longer: some who are always
/// behind would keep what is new from all others. Half a second is late, but not yet wrong.
inline constexpr std::chrono::milliseconds flush_rest{500};

/// Frames that a subscriber sends in a second, all of them pings and pongs: one in ten seconds is
/// usual. Each costs an answer.
inline constexpr std::uint32_t client_frames_per_second = 50;

/// Ping after this long without a byte read, close after `missed_pings` unanswered ones.
inline constexpr std::chrono::seconds ping_after{20};
inline constexpr int missed_pings = 2;

/// After the end of the stream subscribers get what is left, at most this long.
inline constexpr std::chrono::seconds goodbye{2};

}  // namespace tofud::limits
