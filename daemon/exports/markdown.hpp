// Runs as Markdown, for a pull request's comment or a job's summary.
#pragma once

#include "daemon/exports/run_rows.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud::exports {

/// GitHub's dialect: for each run a headline, what changed, the errors with their text, and a table
/// of the resources that are not merely unchanged, trouble first. At most limits::markdown_bytes;
/// what is left out is counted.
std::string markdown(const std::vector<run_rows>& runs);

/// Text from outside within a line or a table's cell: as code, so that nothing in it is markup, a
/// link or a mention. Cut at limits::markdown_word_bytes.
std::string markdown_code(std::string_view text);

/// The same as a block, with a fence longer than any in it.
std::string markdown_block(std::string_view text);

}  // namespace tofud::exports
