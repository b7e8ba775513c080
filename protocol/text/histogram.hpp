// How often something was how large, as Prometheus counts it.
#pragma once

#include "protocol/text/limits.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tofud::text {

/// Counts values below fixed bounds. Adding one costs a few comparisons, so that it may stand on
/// the path of a message. Used by one thread.
class histogram {
 public:
  /// `bounds` grow and live as long as the program; what is above the last one is counted in
  /// `count` only.
  explicit histogram(std::span<const double> bounds) : bounds_{bounds}, counts_(bounds.size()) {}

  void add(double value) {
    std::size_t bucket = 0;
    while (bucket < bounds_.size() && value > bounds_[bucket]) ++bucket;
    if (bucket < bounds_.size()) ++counts_[bucket];
    ++count_;
    sum_ += value;
  }

  std::span<const double> bounds() const { return bounds_; }
  /// Of that bound and above the one before it.
  std::uint64_t at(std::size_t bucket) const { return counts_[bucket]; }
  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }

 private:
  std::span<const double> bounds_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

/// In seconds.
class duration_histogram : public histogram {
 public:
  static constexpr std::array<double, 12> seconds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                  0.05,   0.1,   0.25,   1,     5,    30};
  duration_histogram() : histogram{seconds} {}
  void add(std::chrono::nanoseconds took) {
    histogram::add(std::chrono::duration<double>(took).count());
  }
};

/// Of what a socket holds: from nothing to more than it may (limits::send_buffer_bytes).
class byte_histogram : public histogram {
 public:
  static constexpr std::array<double, 8> bytes{0,      1024,   4096,    16'384,
                                               32'768, 65'536, 131'072, 262'144};
  byte_histogram() : histogram{bytes} {}
  void add(std::size_t size) { histogram::add(static_cast<double>(size)); }
};

}  // namespace tofud::text
