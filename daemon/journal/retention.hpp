// Which runs have been kept long enough.
#pragma once

#include "daemon/journal/limits.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tofud::journal {

/// What is kept; nothing: without that limit.
struct retention {
  std::optional<std::chrono::hours> age;  // since the end of the run
  std::optional<std::uint64_t> runs;
  std::optional<std::uint64_t> bytes;            // on disk
  std::optional<std::uint64_t> operations = {};  // remembered, of all runs there ever were
};

struct retained_run {
  std::string id;
  ui::time_point created_at;
  std::optional<ui::time_point> over_at;  // nothing: its forwarder may still have bytes of it
  std::uint64_t disk_bytes = 0;
  std::string sender{}, stack{};  // empty: unknown
  bool waits = false;             // it is to be copied elsewhere first
};

/// What is asked of runs, by their ids, before any is removed.
struct asked_of_runs {
  std::function<bool(const std::string& run)> keep;   // in any case
  std::function<bool(const std::string& run)> waits;  // it is to be copied elsewhere first
  /// It is no older than that; null: nobody has seen any.
  std::function<ui::time_point(const std::string& run)> seen_at;
};

/// Right after a start the clock may be wrong: then nothing goes for its age if more than
/// limits::retained_jump_percent of all runs would.
enum class look : bool { first, later };

/// The runs that are beyond a limit, oldest first; those that wait only beyond that of bytes, since
/// a disk has no more. Never one that is not over, which counts for no
/// limit either, nor one that `keep` wants. When there are too many, or they are too large, those
/// of the sender go that has most, whatever is over or not, so that nobody pushes out the runs of
/// others; of his, the newest of each stack (limits::retained_of_a_stack) only when there are no
/// others.
std::vector<std::string> beyond(const retention& kept, std::vector<retained_run> runs,
                                ui::time_point now,
                                const std::function<bool(const std::string& run)>& keep,
                                look which = look::later);

}  // namespace tofud::journal
