// The spool: the bytes of one run's stream as they came, in a file, from the first on, without a
// hole.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/keeper/limits.hpp"
#include "daemon/keeper/storing_stop.hpp"
#include "daemon/spool/spool_place.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::keeper {

struct spool_caps {
  std::uint64_t bytes = limits::spool_bytes;
  std::uint64_t memory_bytes = limits::memory_spool_bytes;
  std::uint64_t free_bytes = limits::free_bytes;
  unsigned free_percent = limits::free_percent;
};

enum class spool_home { disk, memory };

/// `ID.jsonl` and, beside it, `ID.events`. While anybody holds the spool's open file description
/// (the keeper, its worker, under `run` tofu itself) an exclusive flock stands on it: in use.
class spool_writer {
 public:
  struct opened_files {
    std::string id;
    std::string path;  // of ID.jsonl; empty in memory
    files::descriptor lines;
    files::descriptor events;
  };
  /// Goes on behind what the file holds.
  spool_writer(opened_files opened, spool_home home, const spool_caps& caps);

  struct appended {
    std::size_t bytes = 0;             // now in the spool, also if it stops here
    std::optional<storing_stop> stop;  // the caller appends no more: there would be a hole
  };
  /// Writes all of it unless a cap or an error stands in the way.
  appended append(std::span<const char> bytes) noexcept;

  const std::string& id() const { return files_.id; }
  const std::string& path() const { return files_.path; }
  /// "/var/…/ID.jsonl", or "memory"; for sentences.
  std::string where() const;
  /// Less room is left around it than limits::free_bytes: a stream may well not fit.
  bool is_short_of_room() const noexcept;
  /// So little that what others write into it is lost.
  bool is_out_of_room() const noexcept;
  int lines_fd() const { return files_.lines.get(); }
  int events_fd() const { return files_.events.get(); }

 private:
  opened_files files_;
  spool_home home_;
  spool_caps caps_;
  std::uint64_t written_;
  std::uint64_t next_check_;  // free space is looked at again when so much is written
};

/// Writes a line of `ID.events` (one JSON object with `offset`, no newline) at once.
bool write_event(int events_fd, std::string_view line) noexcept;
/// What `ID.events` holds.
std::string read_events(int events_fd);

struct opened_spool {
  spool_writer out;
  std::vector<std::string> remarks;  // sentences for people; empty: all went as asked
};

/// Opens a new spool in the first place that takes one and has room, else in memory. With no memory
/// left either it is a spool whose first append stops. Throws only std::bad_alloc.
opened_spool open_spool(const std::string& state_dir, const spool::environment& env,
                        const spool_caps& caps, std::chrono::system_clock::time_point now,
                        const std::function<std::uint16_t()>& digits);

}  // namespace tofud::keeper
