// FNV-1a: a hash that is the same on every machine, after every restart, in every build.
#pragma once

#include <cstdint>
#include <string_view>

namespace tofud::text {

inline constexpr std::uint64_t fnv_basis = 14695981039346656037U;

/// `hash` is that of what stands before the text.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv_basis) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

}  // namespace tofud::text
