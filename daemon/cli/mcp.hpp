// tofud mcp: agents ask about runs, over the Model Context Protocol.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_mcp(command& line);

}  // namespace tofud::cli
