// `tofud replay FILE`: a recorded stream through the whole path.
#pragma once

#include "daemon/options.hpp"

namespace tofud {

/// Plays and serves until Ctrl-C, or prints the final rows. Returns the exit status.
int run_replay(const replay_command& command);

}  // namespace tofud
