// Workflow commands of GitHub Actions: lines that its runner takes for orders.
#pragma once

#include "protocol/feed/row.hpp"

#include <string>
#include <string_view>

namespace tofud::terminal::github {

/// Groups don't nest: one is ended before the next begins.
std::string group(std::string_view title);
inline constexpr std::string_view end_group = "::endgroup::";

/// Where `place` lies in `workspace`: "" for the workspace itself and for what is not in it. Both
/// are absolute, with no link in them.
std::string folder(std::string_view workspace, std::string_view place);

/// "::error file=…,line=…,title=…::…". `folder` is where OpenTofu runs, as seen from the root of
/// the repository; "" is the root itself. `said` is of the resource that it is about. Text from
/// outside is cleaned and escaped here.
std::string annotation(const feed::diagnostic_row& diagnostic, std::string_view folder,
                       const feed::annotations& said = {});

/// A line that the runner can't take for a command. It takes those that begin with "::", white
/// space aside, and those that hold "##[" anywhere (actions/runner, ActionCommand.cs).
/// Deliberately without ::stop-commands::, which would also stop the ::add-mask:: of others whose
/// output goes to the same step.
std::string defused(std::string_view line);

/// The same for every line of `text`.
std::string defused_lines(std::string_view text);

/// The same for a JSON document, which means what it meant before.
std::string defused_json(std::string text);

}  // namespace tofud::terminal::github
