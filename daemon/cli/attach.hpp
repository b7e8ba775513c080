// The child that makes attachments ready, never typed by a person (see attachments_preparing).
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// attach_argument, and what follows it.
command add_attach(CLI::App& line);

}  // namespace tofud::commands
