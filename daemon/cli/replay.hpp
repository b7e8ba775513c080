// `tofud replay FILE`: a recorded stream through the whole path.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Plays and serves until Ctrl-C, or prints the final rows.
void add_replay(command& line);

}  // namespace tofud::cli
