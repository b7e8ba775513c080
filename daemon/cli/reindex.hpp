// `tofud reindex`: a daemon makes its index again.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Asks the daemon to make its list of runs and their history again from their directories.
void add_reindex(command& line);

}  // namespace tofud::cli
