// A run as it lies on disk.
#pragma once

#include "daemon/journal/run_header.hpp"
#include "daemon/journal/run_query.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::journal {

/// `offset` bytes of the stream were on disk at `at`, by this machine's clock. One line of
/// `arrivals`: {"offset":4711,"at":"2026-11-21T03:12:06.410000Z"}
struct arrival {
  std::uint64_t offset = 0;
  ui::time_point at;
  bool operator==(const arrival&) const = default;
};

/// One event of the upload, as it came: line `n` (from 1) of `events.jsonl`.
struct kept_event {
  std::uint64_t n = 0;
  std::uint64_t offset = 0;  // the `offset` in it
  std::string json;          // one line, see as_line()
  bool operator==(const kept_event&) const = default;
};

/// What recovery found in one directory.
struct kept_run {
  run_header header;
  std::uint64_t bytes = 0;  // of the stream, uncompressed; all on disk
  bool complete = false;
  bool compressed = false;
  std::optional<ui::time_point> completed_at;
  std::uint64_t disk_bytes = 0;      // of the directory's files
  std::uint64_t attached_bytes = 0;  // of these, what is in `attachments/`
  std::vector<kept_event> events;
  /// Not read where it is known when the run ended.
  std::optional<arrival> last_arrival;
  /// What the index has of it, if that is of just these bytes and events and the run is complete:
  /// then it need not be folded to be listed.
  std::optional<indexed_run> indexed;
  std::string remark;  // a sentence about what was cut or is missing; empty: all is as it should be
};

/// JSON text as one line: newlines, which are only blanks in JSON, become blanks.
std::string as_line(std::string json);

std::string to_line(const arrival& arrival);
/// A line without its newline; nothing if it is not a whole record.
std::optional<arrival> parse_arrival(std::string_view line);

/// Of a line of events.jsonl; nothing if it is no object with an offset.
std::optional<std::uint64_t> event_offset(std::string_view json);

/// The file `complete`.
struct completion {
  std::uint64_t bytes = 0;
  ui::time_point at;
};
std::string to_json(const completion& completion);
std::optional<completion> parse_completion(std::string_view text);

}  // namespace tofud::journal
