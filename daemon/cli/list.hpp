// `tofud ls`: the runs that are kept.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Newest first, as a table or as the feed's `run` rows.
void add_list(command& line);

}  // namespace tofud::cli
