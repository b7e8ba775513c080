// The summary of a run that is over, for people.
#pragma once

#include "protocol/feed/row.hpp"

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
};

/// Counts, duration, the failed with the first line of their diagnostic, the never finished, the
/// slowest five, output names. Lines without newlines.
std::vector<std::string> report(const finished_run& run);

}  // namespace tofud::terminal
