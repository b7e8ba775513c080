// `tofud manual TEMPLATE`: a manual page, with the options as they are. Of the build, not of
// people: help does not show it.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Prints the file with the line `@COMMANDS@` replaced by every command and option of `line`, and
/// the line `@OPTIONS@` by the options of a configuration file, in mdoc(7).
void add_manual(command& line);

}  // namespace tofud::cli
