// `tofud demo`: what tofud shows, without OpenTofu and without a cloud.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Plays the recording that is built in. On a terminal it goes on serving until Ctrl-C, else it
/// ends by itself.
command add_demo(CLI::App& line);

}  // namespace tofud::commands
