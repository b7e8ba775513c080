// The argument that says how fast a recording is played.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// `--speed N|max`: reading it sets `speed`, which outlives `words`, to a number above 0, or to 0
/// for max.
void add_speed_argument(command& words, double& speed);

}  // namespace tofud::cli
