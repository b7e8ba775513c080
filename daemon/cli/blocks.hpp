// `tofud blocks [DIR] [--json]`: where each block of a configuration stands.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Exits with 1 if there is no configuration or a problem in it; what could be read is told all the
/// same.
command add_blocks(CLI::App& line);

}  // namespace tofud::commands
