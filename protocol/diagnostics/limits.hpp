// Limits of protocol/diagnostics, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>

namespace tofud::limits {

/// Longest line of a diagnostic. OpenTofu reads its own text in lines before it draws the rule
/// beside them, and prints nothing more from a line on that is as long as this.
inline constexpr std::size_t drawn_line_bytes = 64 * kib;

/// Of a block of a generated file, drawn around a fault: what is far from the fault gives way.
inline constexpr std::size_t generated_block_lines = 60;
inline constexpr std::size_t generated_line_bytes = 200;

}  // namespace tofud::limits
