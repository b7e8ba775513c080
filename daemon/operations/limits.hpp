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

/// Of an audit file before the next one begins: a quarter of a million lines, which tools still
/// open.
inline constexpr std::size_t audit_bytes = 64 * mib;
/// Of these, besides the one that is written: they are the administrator's to take away in time.
inline constexpr std::size_t audit_files = 9;
/// Lines that wait for a slow disk: some minutes of a busy daemon. All their room is taken at once.
inline constexpr std::size_t audit_waiting = 8192;
/// Lines a second about strangers who were refused; more are counted, or they would write away the
/// rest.
inline constexpr std::uint64_t audit_refusals = 10;

/// What a handler of a loop may take before the next one has its turn: a viewer does not see it,
/// and a sender's pipe holds that much.
inline constexpr std::chrono::milliseconds turn_budget{5};
/// A turn of so long is told to whoever reads the log.
inline constexpr std::chrono::milliseconds long_turn{100};
/// The processor's time is asked for after so much of the clock's: often enough to know a turn by
/// it, too seldom to cost anything.
inline constexpr std::chrono::milliseconds turn_looked_at{1};
/// How often it is tried how long a request waits until the daemon has time for it.
inline constexpr std::chrono::milliseconds turn_probed_every{100};

}  // namespace tofud::limits
