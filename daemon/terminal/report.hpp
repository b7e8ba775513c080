// The summary of a run that is over, for people.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/history/score.hpp"

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::terminal {

/// What the summary is made of; views into the run.
struct finished_run {
  feed::run_view run;
  std::vector<const feed::resource_row*> resources;
  std::vector<const feed::diagnostic_row*> diagnostics;
  std::vector<std::string_view> outputs;  // names
  std::string url = {};                   // of its page at a daemon; empty: none has it
  std::vector<history::said_estimate> estimates = {};  // that are to be judged
};

/// What took long while applying.
struct slow_step {
  std::chrono::microseconds took;
  const feed::resource_row* resource;
  const feed::step* done;
};
/// The slowest five, slowest first.
std::vector<slow_step> slowest_of(const finished_run& run);

/// Counts, duration, the failed with the first line of their diagnostic, the never finished, the
/// slowest five, output names, how good the estimates were. Lines without newlines.
std::vector<std::string> report(const finished_run& run);

}  // namespace tofud::terminal
