// `tofud export RUN --format …`: a run as a document for others.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Prints it, or writes it to a file. Of a run that goes on: what is known so far.
void add_export(command& line);

}  // namespace tofud::cli
