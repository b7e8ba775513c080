// The file that GitHub shows on the page of a job: GITHUB_STEP_SUMMARY.
#pragma once

#include "daemon/terminal/report.hpp"

#include <string>
#include <vector>

namespace tofud::terminal {

/// Appends the summaries of `runs` to the file at `path`, as far as there is room in it: what other
/// steps have written counts too. Returns "" or a sentence that says why it could not.
std::string append_step_summary(const std::string& path,
                                const std::vector<terminal::finished_run>& runs);

}  // namespace tofud::terminal
