// Limits of protocol/order, each with its reason.
#pragma once

#include <cstddef>

namespace tofud::limits {

/// Looks at what new resources refer to, however indirectly, where something is removed: some
/// tenths of a second. What is new waits for fewer removals than it really does beyond it.
inline constexpr std::size_t order_looks = 5'000'000;

}  // namespace tofud::limits
