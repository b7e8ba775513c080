// docs/reference.md: commands, options and configuration as they are.
#pragma once

#include "daemon/cli/command.hpp"

#include <string>

namespace tofud::cli {

/// Markdown, with a title. What help hides is not there.
std::string reference(const command& line);

}  // namespace tofud::cli
