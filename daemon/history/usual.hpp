// What is usual: percentiles of how long operations took (decision 0042).
#pragma once

#include "protocol/feed/forecast.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tofud::history {

using feed::rung;
using feed::usual;

struct usual_query {
  std::string stack, addr, type;
  std::string action;  // the feed's word
  /// What was granted to the run that asks (feed::labels_text): of its own stack only runs with the
  /// same are asked, since whoever sees it sees those.
  std::string granted = {};
  /// Runs of all stacks may be asked: nobody is kept from seeing any.
  bool everywhere = true;
};

/// Whether an operation takes longer than others did.
bool is_slower_than_usual(const usual& known, double elapsed);

/// What one rung has: durations of operations that are done.
struct rung_values {
  rung at = rung::address;
  std::vector<double> seconds;
  std::size_t stacks = 1;
};

/// Of rungs in their order: the first that has enough, else the first that has any. What stands at
/// `rung::anywhere` counts if limits::usual_of of them come from limits::usual_stacks stacks.
std::optional<usual> choose(std::span<const rung_values> rungs);

}  // namespace tofud::history
