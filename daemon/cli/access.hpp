// `tofud access`: why somebody may see or send a run, or may not.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_access(command& line);

}  // namespace tofud::cli
