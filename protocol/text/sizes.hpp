// Units of sizes in bytes.
#pragma once

#include <cstddef>

namespace tofud::limits {

inline constexpr std::size_t kib = 1024;
inline constexpr std::size_t mib = 1024 * kib;
inline constexpr std::size_t gib = 1024 * mib;

}  // namespace tofud::limits
