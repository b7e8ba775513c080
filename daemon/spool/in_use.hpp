// Whether somebody still writes a stream's file.
#pragma once

#include <chrono>
#include <optional>
#include <sys/stat.h>
#include <sys/types.h>

namespace tofud::spool {

/// Whether the keeper, its worker or tofu itself still holds a spool, by the flock on it
/// (spool.hpp). `fd` is a description of the caller's own, which gets no lock that outlives the
/// call. A spool that is new and empty counts as held without being asked: its keeper may be about
/// to lock it, and asking takes a lock for a moment.
bool is_locked(int fd, std::chrono::system_clock::time_point now);

/// A process that has a file open for writing.
struct file_writer {
  pid_t process = 0;
  int fd = -1;
  bool operator==(const file_writer&) const = default;
};

/// Looks through /proc, so it finds only processes of the same user (root finds all), never the
/// caller itself. Some hundred microseconds a hundred processes: not for every turn of a loop.
std::optional<file_writer> find_writer(const struct stat& file);

/// Whether that process still has that file open for writing.
bool still_writes(const file_writer& writer, const struct stat& file);

}  // namespace tofud::spool
