// The environment, passed in so that nobody depends on the process's own.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tofud::stack {

/// Value of a variable, if set.
using environment = std::function<std::optional<std::string>(const char* name)>;

}  // namespace tofud::stack
