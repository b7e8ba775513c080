// How often something took how long, as Prometheus counts it.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tofud {

/// Counts durations below fixed bounds. Adding one costs a few comparisons, so that it may stand on
/// the path of a message. Used by one thread.
class duration_histogram {
 public:
  /// Seconds; what is above the last one is counted in `count` only.
  static constexpr std::array<double, 12> bounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                 0.05,   0.1,   0.25,   1,     5,    30};

  void add(std::chrono::nanoseconds took) {
    const double seconds = std::chrono::duration<double>(took).count();
    std::size_t bucket = 0;
    while (bucket < bounds.size() && seconds > bounds[bucket]) ++bucket;
    if (bucket < bounds.size()) ++counts_[bucket];
    ++count_;
    sum_ += seconds;
  }

  /// Of that bound and above the one before it.
  std::uint64_t at(std::size_t bucket) const { return counts_[bucket]; }
  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }  // seconds

 private:
  std::array<std::uint64_t, bounds.size()> counts_{};
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

}  // namespace tofud
