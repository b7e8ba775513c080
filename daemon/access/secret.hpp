// Secrets that are made here, and how they are compared.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::access {

/// So many random bytes in hexadecimal digits. Throws std::runtime_error if there is no randomness.
std::string random_hex(std::size_t bytes);

/// Takes the same time wherever they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace tofud::access
