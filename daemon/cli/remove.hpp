// `tofud rm RUN`: a run is forgotten.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// At the daemon; with --local the spool that is kept here, and all beside it, as well. Asks
/// nothing, says what it removed.
command add_remove(CLI::App& line);

}  // namespace tofud::commands
