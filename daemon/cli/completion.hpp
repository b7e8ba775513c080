// `tofud completion SHELL`: what a shell needs to complete tofud's words.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::commands {

/// Completes what is in `line` when it runs.
command add_completion(CLI::App& line);

}  // namespace tofud::commands
