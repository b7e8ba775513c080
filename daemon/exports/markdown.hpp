// Runs as Markdown, for a pull request's comment or a job's summary.
#pragma once

#include "daemon/exports/run_rows.hpp"
#include "protocol/text/limits.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tofud::exports {

/// GitHub's dialect: for each run a headline, what changed, the errors with their text, and a table
/// of the resources that are not merely unchanged, trouble first. About `room` bytes at most;
/// what is left out is counted.
std::string markdown(const std::vector<run_rows>& runs, std::size_t room = limits::markdown_bytes);

}  // namespace tofud::exports
