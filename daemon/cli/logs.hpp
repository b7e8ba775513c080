// `tofud logs RUN [ADDR]`: what the provisioners of a run printed.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// As text, or as the feed's `log` rows; with --follow until the run is over.
command add_logs(CLI::App& line);

}  // namespace tofud::commands
