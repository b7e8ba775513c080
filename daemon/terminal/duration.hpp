// Durations as people read them.
#pragma once

#include <chrono>
#include <string>

namespace tofud::terminal {

/// "0.4s", "12s", "2m31s", "1h0m5s". Negative ones count as 0.
std::string duration_text(std::chrono::microseconds duration);

}  // namespace tofud::terminal
