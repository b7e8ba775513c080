// `tofud comment`: what a run did, in its pull request and beside its commit.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_comment(command& line);

}  // namespace tofud::cli
