// Limits of daemon/pipeline, each with its reason.
#pragma once

#include <chrono>

namespace tofud::limits {

/// A plan that stands still this long waits for somebody's approval.
inline constexpr std::chrono::seconds approval_shown_after{2};

}  // namespace tofud::limits
