// `tofud replay FILE`: a recorded stream through the whole path.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Plays and serves until Ctrl-C, or prints the final rows.
command add_replay(CLI::App& line);

}  // namespace tofud::commands
