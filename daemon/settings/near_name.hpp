// What somebody may have meant who wrote a name that is not there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::settings {

/// The one of `names` that is nearest to `name`, or whose last part it is; empty: none is near.
std::string near_name(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace tofud::settings
