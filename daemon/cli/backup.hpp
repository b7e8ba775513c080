// `tofud backup`: what a daemon stores, copied while it runs.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_backup(command& line);

}  // namespace tofud::cli
