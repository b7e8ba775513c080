// Writing to a stdout that may not take anything for hours.
#pragma once

#include "daemon/terminal/limits.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tofud::terminal {

/// Writes lines to a descriptor from a thread of its own, so that a stopped terminal (Ctrl-S) or a
/// slow pipe never holds up the loop. The descriptor is never made non-blocking: it is shared with
/// tofu and the shell. Beyond limits::terminal_queue_bytes lines are left out, and their number is
/// said when there is room again. A descriptor that fails (its reader left) is given up silently.
///
/// On a terminal there may be a block below the lines. Then lines wait for the next block, and both
/// are written at once: the old block is erased, the lines take its place, the new block stands
/// below them. A block that was not written when the next one comes is never written.
class line_writer {
 public:
  enum class with_block : bool { no, yes };

  /// `written(n)` is called on the writer's thread once the first n counted lines were handed to
  /// the kernel or left out.
  line_writer(int fd, std::function<void(std::uint64_t)> written,
              with_block block = with_block::no);
  ~line_writer();
  line_writer(const line_writer&) = delete;
  line_writer& operator=(const line_writer&) = delete;

  /// Lines that depend on the clock are not counted: a restarted worker prints others.
  enum class counted : bool { no, yes };
  /// Queues a line; a newline is added.
  void write(std::string_view line, counted is_counted = counted::yes);
  /// What stands below the lines from now on: text that leaves the cursor where it began, or "".
  /// `orders` are control sequences that show nothing, written when they change.
  void redraw(std::string block, std::string orders);
  /// Somebody else has the terminal: lines are written as they are, nothing is erased.
  void let_go();
  /// Whether everything queued is written or given up.
  bool drained() const;
  /// Returns once everything queued is written or given up.
  void finish();

 private:
  void run();

  /// Something is to be written now.
  bool pending() const;
  std::string next_batch(std::uint64_t& lines);

  int fd_;
  with_block with_block_;
  std::function<void(std::uint64_t)> written_;
  /// Lines that are written together.
  struct queued {
    std::string text;
    std::uint64_t counted = 0;  // lines
  };
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<queued> queue_;
  std::size_t queued_bytes_ = 0;
  std::uint64_t left_out_ = 0, left_out_counted_ = 0;
  std::uint64_t taken_ = 0;
  std::string block_, orders_, orders_given_;
  bool redraw_ = false;
  bool drawn_ = true;  // a block may stand below the cursor: at the start, our predecessor's
  bool writing_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tofud::terminal
