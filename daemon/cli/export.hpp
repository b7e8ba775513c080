// `tofud export RUN --format …`: a run as a document for others.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Prints it, or writes it to a file. Of a run that goes on: what is known so far.
command add_export(CLI::App& line);

}  // namespace tofud::commands
