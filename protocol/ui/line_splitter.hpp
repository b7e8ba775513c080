// Bytes to lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tofud::ui {

/// Cuts a byte stream into lines, whatever the pieces it arrives in. Remembers one unfinished line
/// of at most `max_line` bytes; a longer one is counted, skipped to its end and reported once.
/// Whole lines inside one piece are passed on without a copy.
class line_splitter {
 public:
  explicit line_splitter(std::size_t max_line) : max_line_{max_line} {}

  /// Calls `line(std::string_view)` for each line ended in `bytes`, without its '\n'; the view is
  /// valid during the call. Calls `too_long(std::uint64_t size)` at the end of an over-long line.
  template <typename Line, typename TooLong>
  void feed(std::string_view bytes, Line&& line, TooLong&& too_long) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      if (end == std::string_view::npos) {
        keep(bytes);
        return;
      }
      if (held_.empty() && skipped_ == 0 && end <= max_line_) {
        line(bytes.substr(0, end));
      } else {
        keep(bytes.substr(0, end));
        if (skipped_ > 0) {
          too_long(skipped_);
        } else {
          line(std::string_view{held_});
        }
        drop();
      }
      bytes.remove_prefix(end + 1);
    }
  }

  /// What came after the last newline; empty if there was nothing, or if `skipped()` is not 0.
  std::string_view rest() const { return held_; }
  /// Size so far of an over-long line that has not ended; 0: there is none.
  std::uint64_t skipped() const { return skipped_; }

  /// Bytes of memory that the unfinished line takes.
  std::size_t memory() const { return held_.capacity(); }

  /// Forgets the unfinished line.
  void drop();
  /// Where another one stood that had this `rest()` and `skipped()`.
  void go_on(std::string rest, std::uint64_t skipped);

 private:
  void keep(std::string_view bytes);

  std::size_t max_line_;
  std::string held_;
  std::uint64_t skipped_ = 0;
};

}  // namespace tofud::ui
