// `tofud config`: is the configuration right, and what is in effect?
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_config(command& line);

}  // namespace tofud::cli
