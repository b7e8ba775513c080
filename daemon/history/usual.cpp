#include "daemon/history/usual.hpp"

#include "daemon/history/limits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tofud::history {

double percentile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

bool is_slower_than_usual(const usual& known, double elapsed) {
  return known.count >= limits::usual_enough && elapsed > known.p80 && elapsed > 1.5 * known.p50;
}

namespace {

/// A millisecond is as good as nothing.
double log_of(double seconds) { return std::log(std::max(seconds, 1e-3)); }

bool counts(const rung_values& values) {
  if (values.at != rung::anywhere) return true;
  return values.seconds.size() >= limits::usual_of && values.stacks >= limits::usual_stacks;
}

}  // namespace

std::optional<usual> choose(std::span<const rung_values> rungs) {
  const rung_values* chosen = nullptr;
  for (const rung_values& each : rungs) {
    if (each.seconds.empty() || !counts(each)) continue;
    if (chosen == nullptr) chosen = &each;
    if (each.seconds.size() < limits::usual_enough) continue;
    chosen = &each;
    break;
  }
  if (chosen == nullptr) return std::nullopt;
  usual made;
  made.p50 = percentile(chosen->seconds, 0.5);
  made.p80 = percentile(chosen->seconds, 0.8);
  made.count = chosen->seconds.size();
  for (const double each : chosen->seconds) made.log_mean += log_of(each);
  made.log_mean /= static_cast<double>(made.count);
  for (const double each : chosen->seconds)
    made.log_squares += (log_of(each) - made.log_mean) * (log_of(each) - made.log_mean);
  made.at = chosen->at;
  return made;
}

}  // namespace tofud::history
