// `tofud estimate`: how long an apply will take, before it begins.
#pragma once

#include "daemon/cli/command.hpp"
#include "daemon/correlator/run_state.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <string>

namespace tofud::cli {

void add_estimate(command& line);

/// What was to be expected of a run at that moment, by what this machine remembers; nothing: nobody
/// knows. `state_dir` as it was given, empty: not.
std::optional<feed::run_estimate> estimate_of(const correlator::run_state& run, ui::time_point at,
                                              const std::string& state_dir);

}  // namespace tofud::cli
