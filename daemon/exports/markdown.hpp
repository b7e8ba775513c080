// Runs as Markdown, for a pull request's comment or a job's summary.
#pragma once

#include "daemon/exports/run_rows.hpp"
#include "daemon/exports/text.hpp"
#include "protocol/text/limits.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::exports {

/// GitHub's dialect: for each run a headline, what changed, the errors with their text, and a table
/// of the resources that are not merely unchanged, trouble first. About `room` bytes at most;
/// what is left out is counted.
std::string markdown(const std::vector<run_rows>& runs, std::size_t room = limits::markdown_bytes);

/// "3 to add, 1 to change, 2 to destroy", with imports and what is forgotten if there are any;
/// `past`: "3 added, …".
std::string changes_text(const feed::change_counts& counts, tense of);

/// A sign for people who skim, such as "✅".
std::string_view mark(feed::run_status status);

/// What stands below the headline of a run in Markdown, in about `room` bytes: errors, tests,
/// resources and outputs. The last two are left out beside a plan that is drawn.
enum class beside_plan : bool { no, yes };
std::string markdown_body(const run_rows& run, std::size_t room, beside_plan is);

}  // namespace tofud::exports
