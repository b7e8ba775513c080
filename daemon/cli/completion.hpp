// `tofud completion SHELL`: what a shell needs to complete tofud's words.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Completes what is in `line` when it runs.
void add_completion(command& line);

}  // namespace tofud::cli
