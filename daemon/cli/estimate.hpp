// `tofud estimate`: how long an apply will take, before it begins.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_estimate(command& line);

}  // namespace tofud::cli
