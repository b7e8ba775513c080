#include "daemon/foresight/known_times.hpp"

#include <algorithm>
#include <cmath>

namespace tofud::foresight {

using feed::step_action;

step_action action_of(const order::operation& what) {
  if (what.what == order::effect::remove) return step_action::remove;
  if (what.action == "update") return step_action::update;
  return what.action == "read" ? step_action::read : step_action::create;
}

namespace {

/// Of logarithms between the median and the p80, by the normal distribution.
constexpr double p80_deviations = 0.8416;
/// Of a single value's logarithm, and how many values people's own words count as.
constexpr double single_deviation = 0.5, expect_values = 2;

order::known_duration known_of(const feed::usual& usual) {
  order::known_duration made;
  made.count = static_cast<double>(usual.count);
  if (usual.log_mean != 0 || usual.log_squares != 0) {
    made.log_mean = usual.log_mean;
    made.log_squares = usual.log_squares;
    return made;
  }
  made.log_mean = std::log(std::max(usual.p50, 1e-3));
  const double deviation = (std::log(std::max(usual.p80, 1e-3)) - made.log_mean) / p80_deviations;
  made.log_squares = deviation * deviation * std::max(0.0, made.count - 1);
  return made;
}

}  // namespace

order::known_duration known_time(const feed::usual* usual,
                                 std::optional<std::chrono::seconds> expect, step_action action) {
  order::known_duration made;
  if (usual != nullptr) made = known_of(*usual);
  if (!expect || action == step_action::read || action == step_action::remove) return made;
  if (made.count == 0) made.log_squares = single_deviation * single_deviation;
  return order::with_opinion(made, static_cast<double>(expect->count()), expect_values);
}

}  // namespace tofud::foresight
