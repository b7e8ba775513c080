// How long something took, as people read it: one form everywhere (the page has the same).
#pragma once

#include <chrono>
#include <string>

namespace tofud::text {

/// "340ms", "3.0s", "41s", "2m31s", "1h02m". Negative ones count as 0.
std::string duration(std::chrono::microseconds of);

}  // namespace tofud::text
