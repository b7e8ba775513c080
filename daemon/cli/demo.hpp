// `tofud demo`: what tofud shows, without OpenTofu and without a cloud.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// Plays the recording that is built in. On a terminal it goes on serving until Ctrl-C, else it
/// ends by itself.
void add_demo(command& line);

}  // namespace tofud::cli
