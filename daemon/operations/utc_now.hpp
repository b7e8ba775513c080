// The system's clock in the unit of everything tofud stamps. Tests are passed times instead.
#pragma once

#include "protocol/ui/timestamp.hpp"

namespace tofud::operations {

/// The system's time in whole microseconds. It steps back when the clock is set back.
inline ui::time_point utc_now() {
  return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

/// The same in whole seconds.
inline std::chrono::sys_seconds now_in_seconds() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

}  // namespace tofud::operations
