// Limits of daemon/api/pages, each with its reason.
#pragma once

#include <chrono>

namespace tofud::limits {

/// The plain wall asks for itself again so often: without a script there is no other way to be new,
/// and a page of a hundred cards costs a millisecond.
inline constexpr std::chrono::duration<unsigned> plain_refresh{10};

}  // namespace tofud::limits
