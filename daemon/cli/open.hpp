// `tofud open [RUN]`: the page of a run in the browser.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// The page that a run which goes on serves itself; of any other, serves one until Ctrl-C.
void add_open(command& line);

}  // namespace tofud::cli
