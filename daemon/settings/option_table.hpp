// Every option of `tofud serve`: names, home, words of help, what is wrong with a value.
#pragma once

#include "daemon/settings/options.hpp"

#include <vector>

namespace tofud::settings {

/// In the order of config/tofud.toml.
std::vector<option> option_table();

}  // namespace tofud::settings
