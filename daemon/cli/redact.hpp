// `tofud redact`: what would leave this machine.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Adds the command to `line`.
void add_redact(command& line);

}  // namespace tofud::cli
