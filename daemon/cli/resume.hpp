// `tofud resume RUN`: sends what a daemon lacks of a kept stream.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_resume(command& line);

}  // namespace tofud::cli
