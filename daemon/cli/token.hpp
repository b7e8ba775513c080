// `tofud token`: who else may ask a daemon, and who not any more.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

command add_token(CLI::App& line);

}  // namespace tofud::commands
