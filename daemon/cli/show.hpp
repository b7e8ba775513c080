// `tofud show`: documents and streams as text for people.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

command add_show(CLI::App& line);

}  // namespace tofud::commands
