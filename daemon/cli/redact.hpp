// `tofud redact`: what would leave this machine.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Adds the command to `line`.
command add_redact(CLI::App& line);

}  // namespace tofud::commands
