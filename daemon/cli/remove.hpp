// `tofud rm RUN`: a run is forgotten.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// At the daemon; with --local the spool that is kept here, and all beside it, as well. Asks
/// nothing, says what it removed.
void add_remove(command& line);

}  // namespace tofud::cli
