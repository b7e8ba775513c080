// How good estimates were: what was said of the end of a run, and when the end came.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tofud::history {

/// Parts of an apply's time, in percent, at which what is said then is remembered.
inline constexpr std::array<std::uint8_t, 3> judged_at{25, 50, 75};

/// What was said when that part of an apply's time had passed.
struct said_estimate {
  std::uint8_t at = 0;
  double p50 = 0, p80 = 0;  // seconds that were said to be left
  double left = 0;          // seconds that were left
};

/// Of many runs at one part of their time.
struct estimate_score {
  std::uint8_t at = 0;
  std::uint64_t runs = 0;
  double error = 0;                   // median of |p50 - left| / left
  double p50_held = 0, p80_held = 0;  // the share of runs that were over by then, 0 to 1
};

double error_of(const said_estimate& said);

/// In the order of judged_at; a part at which nothing was ever said is missing.
std::vector<estimate_score> score_of(std::span<const said_estimate> all);

}  // namespace tofud::history
