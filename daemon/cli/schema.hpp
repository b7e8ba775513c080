// `tofud schema check FILE`, `tofud schema show FILE [TYPE]`, `tofud schema diff OLD NEW`: what
// providers say of their types.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

/// `check` exits with 1 if there is a mistake; warnings are none. `show` exits with 1 if there is
/// nothing to show.
void add_schema(command& line);

}  // namespace tofud::cli
