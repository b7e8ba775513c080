// The summary of runs as Markdown, for the page of a GitHub job.
#pragma once

#include "daemon/terminal/report.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tofud::terminal {

/// A heading and counts for each run, a table of what failed or never finished and of errors that
/// belong to no resource. At most `room` bytes: rows that do not fit are counted in a last line,
/// and "" comes out where not even that fits. Text from outside can be nothing but text there.
std::string step_summary(const finished_run& run, std::size_t room);

}  // namespace tofud::terminal
