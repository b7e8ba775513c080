// tofud notify: who is told of what, and what was not delivered.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_notify(command& line);

}  // namespace tofud::cli
