// The file that GitHub shows on the page of a job: GITHUB_STEP_SUMMARY.
#pragma once

#include "daemon/terminal/report.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tofud::terminal {

/// Appends the summaries of `runs` to the file at `path`, as far as there is room in it: what other
/// steps have written counts too. Returns "" or a sentence that says why it could not.
std::string append_step_summary(const std::string& path,
                                const std::vector<terminal::finished_run>& runs);

/// The same with a text that is made for the room that there is.
std::string append_step_summary(const std::string& path,
                                const std::function<std::string(std::size_t room)>& text);

}  // namespace tofud::terminal
