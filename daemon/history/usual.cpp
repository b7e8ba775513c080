#include "daemon/history/usual.hpp"

#include "daemon/history/limits.hpp"
#include "protocol/text/percentile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tofud::history {

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
  made.p50 = text::percentile(chosen->seconds, 0.5);
  made.p80 = text::percentile(chosen->seconds, 0.8);
  made.count = chosen->seconds.size();
  for (const double each : chosen->seconds) made.log_mean += log_of(each);
  made.log_mean /= static_cast<double>(made.count);
  for (const double each : chosen->seconds)
    made.log_squares += (log_of(each) - made.log_mean) * (log_of(each) - made.log_mean);
  made.at = chosen->at;
  return made;
}

}  // namespace tofud::history
