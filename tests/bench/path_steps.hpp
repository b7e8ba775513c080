// The steps of a message's way within the process: what path_bench measures in time and
// path_instructions in instructions.
#pragma once

#include "daemon/correlator/stream_fold.hpp"
#include "daemon/files/limits.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::bench {

/// The bytes of a stream that was recorded (tests/recordings); ends the program if it can't be
/// read.
std::string recorded(const std::string& scenario);

/// Calls `line` for each one.
template <typename Line>
void split(const std::string& bytes, Line&& line) {
  ui::line_splitter splitter{limits::line_bytes};
  for (std::size_t at = 0; at < bytes.size(); at += limits::read_bytes) {
    splitter.feed(std::string_view{bytes}.substr(at, limits::read_bytes), line,
                  [](std::uint64_t) {});
  }
}

/// Splits and parses them. How many are messages.
std::size_t parse(const std::string& bytes);

/// With as many secrets as a CI job has; none of them is in recorded streams. How many bytes come
/// out.
std::size_t redact(const std::string& bytes);

/// A run that nobody watches.
class folded_run {
 public:
  folded_run() : fold_{identity(), watcher_} {}
  void feed(const std::string& bytes);
  const correlator::run_state& run() const { return fold_.runs().front(); }

  static correlator::run_identity identity();

 private:
  struct nobody : correlator::row_sink {};
  nobody watcher_;
  correlator::stream_fold fold_;
};

/// All rows, into `out`, which is emptied.
void encode(const correlator::run_state& run, std::string& out);

}  // namespace tofud::bench
