// `tofud ls`: the runs that are kept.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Newest first, as a table or as the feed's `run` rows.
command add_list(CLI::App& line);

}  // namespace tofud::commands
