// `tofud history score`: how good the estimates of the remaining time were.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_history_score(command& history);

}  // namespace tofud::cli
