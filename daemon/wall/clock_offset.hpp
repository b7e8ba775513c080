// How far the clock of a run's machine is from ours.
#pragma once

#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <optional>

namespace tofud::wall {

/// The smallest (arrival − `@timestamp`) of a run: the way of a line here takes time, so the line
/// that was fastest tells the most about the clocks.
class clock_offset {
 public:
  clock_offset() = default;
  /// With the smallest that was seen before.
  explicit clock_offset(std::optional<std::chrono::microseconds> smallest) : smallest_{smallest} {}

  /// Lines that came together: when, and the greatest stamp among them.
  void arrived(ui::time_point at, ui::time_point greatest_stamp);
  /// To be added to a stamp of the run to have a time of ours. Nothing before the first line.
  std::optional<std::chrono::microseconds> offset() const { return smallest_; }

 private:
  std::optional<std::chrono::microseconds> smallest_;
};

}  // namespace tofud::wall
