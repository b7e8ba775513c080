// `tofud watch [RUN]`: a run in the terminal while it goes on elsewhere.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Follows the stream's file; Ctrl-C leaves the run as it is.
command add_watch(CLI::App& line);

}  // namespace tofud::commands
