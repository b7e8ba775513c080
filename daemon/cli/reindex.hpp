// `tofud reindex`: a daemon makes its index again.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Asks the daemon to make its list of runs and their history again from their directories.
command add_reindex(CLI::App& line);

}  // namespace tofud::commands
