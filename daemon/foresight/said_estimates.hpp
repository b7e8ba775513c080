// What was said of the end of one run while it went on.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/history/score.hpp"
#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <vector>

namespace tofud::foresight {

/// Remembers limits::said_remembered of them at most, spread over the time of the run.
class said_estimates {
 public:
  /// From `at` on that is said; null, or without a number: nothing is.
  void say(ui::time_point at, const feed::run_estimate* estimate);

  /// Against the time from the first beginning to the last end of what was applied. Nothing of a
  /// run that did not come to its end, and of a part at which nothing was said.
  std::vector<history::said_estimate> judged(const correlator::run_state& run) const;

 private:
  struct said {
    ui::time_point at;
    double p50, p80;  // seconds from then on; below 0: nothing was said
  };
  const said* at(ui::time_point moment) const;

  std::vector<said> all_;  // oldest first
};

}  // namespace tofud::foresight
