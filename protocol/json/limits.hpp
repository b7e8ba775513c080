// Limits of protocol/json, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>

namespace tofud::limits {

/// Deepest JSON nesting of a line. OpenTofu's values rarely pass 20; the parser recurses, and this
/// many levels stay far inside a thread's stack even under the address sanitizer.
inline constexpr std::size_t json_depth = 1000;

/// Most JSON values kept of one line. A diagnostic has under a hundred; outputs are kept as text.
inline constexpr std::size_t json_nodes = 1'000'000;

/// Names of providers, types and attributes: OpenTofu shows them in one line.
inline constexpr std::size_t schema_name_bytes = 1 * kib;

}  // namespace tofud::limits
