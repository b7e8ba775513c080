// Limits of daemon/settings, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud::limits {

/// A configuration file: all options with their explanations have a tenth of this.
inline constexpr std::size_t config_bytes = 64 * kib;

/// Full stops in one line: each may open a table in the one before, and the library that reads them
/// goes as deep as they are. A line of fifty addresses has two hundred.
inline constexpr std::size_t config_line_stops = 256;

/// Lines of a file that may be no TOML before the rest of it is left unread: who sees so many looks
/// at the file again in any case.
inline constexpr int config_broken_lines = 20;

/// Values of one list: hosts, networks, groups.
inline constexpr std::size_t config_list_values = 1000;

/// Tables of one list: what somebody still reads.
inline constexpr std::size_t config_tables = 500;

/// A run is kept no longer than a hundred years; dates beyond don't fit the clock's nanoseconds.
inline constexpr std::uint64_t retained_days_longest = 36'500;

/// Times that somebody may set: below a second networks far away and busy disks are cut off, beyond
/// a week it is a mistake of the unit.
inline constexpr std::chrono::seconds config_time_shortest{1};
inline constexpr std::chrono::hours config_time_longest{7 * 24};

/// The feed's tick that somebody may set: whoever looks at a progress bar that moves once a second
/// believes that it stands.
inline constexpr std::chrono::milliseconds feed_tick_longest{1000};

/// Connections that somebody may set; there are never more than descriptors.
inline constexpr std::size_t connections_most = 1'000'000;

/// Of ended runs of other daemons that were looked at here: a thousand applies of usual size, which
/// are compressed on the disk. NATS has them as well.
inline constexpr std::uint64_t run_copies_bytes = 4 * gib;

/// Runs that go on: each has up to three files open, of the 65,536 that a service usually has.
inline constexpr std::size_t live_runs_most = 10'000;

/// Of logs and texts in memory: some thousand lines, and what a machine has.
inline constexpr std::size_t lines_bytes_least = 1 * mib;
inline constexpr std::size_t lines_bytes_most = 16 * gib;

/// Heads: request lines of 8,000 bytes are to be taken everywhere (RFC 9112, 3); proxies pass on
/// some ten thousand, and each connection may hold as much in memory.
inline constexpr std::size_t header_bytes_least = 8 * kib;
inline constexpr std::size_t header_bytes_most = 256 * kib;

/// What a subscriber sends: a control frame has 125 bytes (RFC 6455, 5.5), a frame of ours 60 KiB.
inline constexpr std::size_t client_message_bytes_least = 125;
inline constexpr std::size_t client_message_bytes_most = 64 * kib;

/// Memory of all runs that are loaded, rows without lines: half of what the service may take
/// (MemoryMax=4G in tofud.service). Beyond it idle runs are unloaded, then new ones are refused.
inline constexpr std::size_t loaded_bytes = 1536 * mib;

/// All that a daemon holds for those it serves: rows, lines, flushes, bodies, answers. Below
/// MemoryMax=4G in tofud.service by what the process needs besides, and what one large request
/// takes while it is being read. Beyond it idle runs are unloaded, then new work is refused, then
/// the largest runs are only stored.
inline constexpr std::size_t memory_bytes = 3 * gib;

/// Finished runs that are kept, where nobody says otherwise: a quarter of a year, and what a small
/// disk has room for.
inline constexpr std::chrono::hours retained_age{90 * 24};
inline constexpr std::uint64_t retained_runs = 10'000;
inline constexpr std::uint64_t retained_bytes = 20 * gib;
/// Operations whose durations are remembered, about 1 GiB: fifty applies of 100,000 resources.
inline constexpr std::uint64_t retained_operations = 5'000'000;

}  // namespace tofud::limits
