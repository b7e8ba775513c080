// A recorded stream on disk: its bytes, and when they came.
#pragma once

#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::spool {

/// One piece of a recording: a line with its newline, or a last line without one.
struct recorded_line {
  std::string_view bytes;
  std::chrono::microseconds at{0};  // since the first line
};

/// A recording in memory: `NAME.jsonl`, or any file, plain or gzip by its first bytes.
class recording {
 public:
  /// Reads `path` whole. The failure says what to do.
  static text::result<recording> open(const std::string& path);

  /// A stream that is in memory already, plain or gzip; its times are those of the lines.
  static recording of(std::string id, std::string_view bytes);

  /// The file's name without directory and endings: the run's id ("stream", "20261121T0312-7f3a").
  const std::string& id() const { return id_; }
  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
  /// The lines in order. Times come from `NAME.timing` beside the stream (seconds since the start
  /// of the command, one a line), else from the lines' `@timestamp`; they never step back.
  const std::vector<recorded_line>& lines() const { return lines_; }
  /// What `NAME.events` beside the stream holds, "" if there is none.
  const std::string& events() const { return events_; }

 private:
  void cut_lines();
  bool take_timing(const std::string& path);
  void take_stamps();

  std::string id_;
  std::vector<char> bytes_;  // no string: a short one would leave its lines behind when it moves
  std::vector<recorded_line> lines_;
  std::string events_;
};

}  // namespace tofud::spool
