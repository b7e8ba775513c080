// tofud recover RUN: import blocks for what a killed run made and no state knows.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

command add_recover(CLI::App& line);

}  // namespace tofud::commands
