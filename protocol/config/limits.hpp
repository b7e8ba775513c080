// Limits of protocol/config, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <chrono>
#include <cstddef>

namespace tofud::limits {

/// Of what people write of a block in its configuration: a name or a URL.
inline constexpr std::size_t annotation_value_bytes = 1 * kib;
/// Nobody expects one resource to take a month.
inline constexpr std::chrono::hours expected_longest{31 * 24};

/// Calls of modules, one below the other and all together: a module that calls itself would go on
/// for ever.
inline constexpr std::size_t module_depth = 50;
inline constexpr std::size_t module_calls = 10'000;

/// Blocks in blocks of a native file, and templates in expressions in templates: what people write
/// has less than ten. The reader of blocks recurses.
inline constexpr std::size_t module_nesting = 200;

/// What is told of a configuration that can't be read; the others are counted.
inline constexpr std::size_t module_problems = 100;

}  // namespace tofud::limits
