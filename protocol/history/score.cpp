#include "protocol/history/score.hpp"

#include "protocol/text/percentile.hpp"

#include <algorithm>
#include <cmath>

namespace tofud::history {

double error_of(const said_estimate& said) {
  constexpr double shortest = 0.001;  // what is over at once has no relative error
  return std::abs(said.p50 - said.left) / std::max(said.left, shortest);
}

std::vector<estimate_score> score_of(std::span<const said_estimate> all) {
  std::vector<estimate_score> made;
  for (const std::uint8_t at : judged_at) {
    std::vector<double> errors;
    std::uint64_t p50_held = 0, p80_held = 0;
    for (const said_estimate& each : all) {
      if (each.at != at) continue;
      errors.push_back(error_of(each));
      p50_held += each.left <= each.p50 ? 1 : 0;
      p80_held += each.left <= each.p80 ? 1 : 0;
    }
    if (errors.empty()) continue;
    const auto runs = static_cast<double>(errors.size());
    made.push_back({at, errors.size(), text::percentile(errors, 0.5),
                    static_cast<double>(p50_held) / runs, static_cast<double>(p80_held) / runs});
  }
  return made;
}

}  // namespace tofud::history
