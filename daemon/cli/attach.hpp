// The child that makes attachments ready, never typed by a person (see attachments_preparing).
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// attach_argument, and what follows it.
void add_attach(command& line);

}  // namespace tofud::cli
