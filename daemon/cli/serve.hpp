// `tofud serve`: a daemon that keeps and shows the runs of a team.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

command add_serve(CLI::App& line);

}  // namespace tofud::commands
