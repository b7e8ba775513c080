// `tofud history`: how long operations took, and how they ended.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Of this machine's runs, or of a daemon's; with the command `import`, which reads old streams.
void add_history(command& line);

}  // namespace tofud::cli
