// `tofud watch [RUN]`: a run in the terminal while it goes on elsewhere.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Follows the stream's file; Ctrl-C leaves the run as it is.
void add_watch(command& line);

}  // namespace tofud::cli
