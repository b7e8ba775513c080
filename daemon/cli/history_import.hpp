// `tofud history import`: remembers what stored streams tell.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Below the command `history`.
void add_history_import(command& words);

}  // namespace tofud::cli
