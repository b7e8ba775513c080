// tofud recover RUN: import blocks for what a killed run made and no state knows.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_recover(command& line);

}  // namespace tofud::cli
