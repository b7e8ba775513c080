// tofud verdict: what became of a run, in a few lines.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_verdict(command& line);

}  // namespace tofud::cli
