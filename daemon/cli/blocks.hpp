// `tofud blocks [DIR] [--json]`: where each block of a configuration stands.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Exits with 1 if there is no configuration or a problem in it; what could be read is told all the
/// same.
void add_blocks(command& line);

}  // namespace tofud::cli
