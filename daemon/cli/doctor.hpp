// `tofud doctor`: whether tofud finds here what it needs.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Prints a line for each finding. Exit status 1 if one is a problem, else 0.
void add_doctor(command& line);

}  // namespace tofud::cli
