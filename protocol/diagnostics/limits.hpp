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

/// Of the detail of an error, searched for how a program ended: a command is shorter, and the
/// reason is made anew with each flush.
inline constexpr std::size_t searched_detail_bytes = 16 * kib;

/// Of what the program printed, searched for its last line.
inline constexpr std::size_t printed_end_bytes = 4 * kib;

}  // namespace tofud::limits
