// The page served at `/`, built into the program.
#pragma once

#include <string_view>

namespace tofud::dashboard {

/// HTML, UTF-8.
std::string_view page();

}  // namespace tofud::dashboard
