// `tofud config`: is the configuration right, and what is in effect?
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

command add_config(CLI::App& line);

}  // namespace tofud::commands
