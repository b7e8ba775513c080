// The flags of the options of settings/options.hpp.
#pragma once

#include "daemon/cli/command.hpp"
#include "daemon/settings/merge.hpp"

#include <functional>
#include <vector>

namespace tofud::cli {

/// Puts a flag for each option into `words`, and --no-listen and --no-socket. What is returned
/// tells those that were given, once the line is read; it may be asked as often as one likes.
std::function<std::vector<settings::given_flag>()> add_setting_flags(command& words);

}  // namespace tofud::cli
