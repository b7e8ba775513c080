// Writing to a stdout that may not take anything for hours.
#pragma once

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
class line_writer {
 public:
  /// `written(n)` is called on the writer's thread once the first n counted lines were handed to
  /// the kernel or left out.
  line_writer(int fd, std::function<void(std::uint64_t)> written);
  ~line_writer();
  line_writer(const line_writer&) = delete;
  line_writer& operator=(const line_writer&) = delete;

  /// Lines that depend on the clock are not counted: a restarted worker prints others.
  enum class counted : bool { no, yes };
  /// Queues a line; a newline is added.
  void write(std::string_view line, counted is_counted = counted::yes);
  /// Whether everything queued is written or given up.
  bool drained() const;
  /// Returns once everything queued is written or given up.
  void finish();

 private:
  void run();

  int fd_;
  std::function<void(std::uint64_t)> written_;
  struct queued {
    std::string text;
    counted is_counted;
  };
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<queued> queue_;
  std::size_t queued_bytes_ = 0;
  std::uint64_t left_out_ = 0, left_out_counted_ = 0;
  std::uint64_t taken_ = 0;
  bool writing_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

/// Writes all of `bytes`; false if the descriptor failed.
bool write_all(int fd, std::string_view bytes);

}  // namespace tofud::terminal
