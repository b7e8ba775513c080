// `tofud graph`: what an apply does after what.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// As JSON, DOT, Mermaid, or a list; and whether a stream goes by it.
void add_graph(command& line);

}  // namespace tofud::cli
