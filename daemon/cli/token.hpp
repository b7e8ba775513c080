// `tofud token`: who else may ask a daemon, and who not any more.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_token(command& line);

}  // namespace tofud::cli
