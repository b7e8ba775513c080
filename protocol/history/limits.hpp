// Limits of protocol/history, each with its reason.
#pragma once

#include <cstddef>

namespace tofud::limits {

/// The newest of an address that say whether it fails now and then.
inline constexpr std::size_t flaky_of = 5;

}  // namespace tofud::limits
