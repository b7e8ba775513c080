// A checksum by which a test knows that a worker read the very bytes that were sent.
#pragma once

#include <cstdint>
#include <string_view>

namespace tofud::keeper {

constexpr std::uint64_t fnv_start = 14695981039346656037U;

constexpr std::uint64_t fnv(std::string_view bytes, std::uint64_t sum = fnv_start) {
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return sum;
}

}  // namespace tofud::keeper
