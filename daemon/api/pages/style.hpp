// How the plain pages look.
#pragma once

#include <string_view>

namespace tofud::pages {

/// CSS of `/plain.css`, which every plain page loads.
std::string_view style();

}  // namespace tofud::pages
