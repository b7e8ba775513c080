// `tofud show`: documents and streams as text for people.
#pragma once

#include "daemon/cli/command.hpp"

namespace tofud::cli {

void add_show(command& line);

}  // namespace tofud::cli
