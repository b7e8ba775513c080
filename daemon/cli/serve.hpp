// `tofud serve`: a daemon that keeps and shows the runs of a team.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_serve(command& line);

}  // namespace tofud::cli
