// `tofud resume RUN`: sends what a daemon lacks of a kept stream.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

command add_resume(CLI::App& line);

}  // namespace tofud::commands
