// When runs were expected to be over at past moments, by what a history remembers today.
#pragma once

#include "daemon/foresight/usual_times.hpp"
#include "daemon/pipeline/rows_at.hpp"

#include <memory>
#include <string>

namespace tofud::foresight {

/// Asks about everything that a run owed, limits::usual_asked addresses at a time, and remembers
/// the answers of the runs that were asked about last: who moves through a run asks at each step.
/// Of one loop, on which `ask` answers.
class past_estimates {
 public:
  explicit past_estimates(usual_asker ask);
  ~past_estimates();

  pipeline::past_estimate of(const std::string& run) const;
  /// What was answered is not true any more.
  void forget();

 private:
  struct remembered;
  std::shared_ptr<remembered> known_;
};

}  // namespace tofud::foresight
