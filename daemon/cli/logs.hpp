// `tofud logs RUN [ADDR]`: what the provisioners of a run printed.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// As text, or as the feed's `log` rows; with --follow until the run is over.
void add_logs(command& line);

}  // namespace tofud::cli
