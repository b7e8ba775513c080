// A part of a JSON text in lines of its own, with the place of a fault in it.
#pragma once

#include "protocol/diagnostics/byte_range.hpp"
#include "protocol/diagnostics/json_outline.hpp"
#include "protocol/diagnostics/limits.hpp"

#include <cstdint>
#include <string>

namespace tofud::diagnostics {

/// How much of what is in a block is drawn besides the fault.
enum class siblings : std::uint8_t {
  shown,   // values and all
  hidden,  // their names: they are blocks of their own
};

struct drawn_block {
  std::string text;  // lines, the last one without a newline
  byte_range fault;  // of the text; within one character at least, if there is any text
};

/// Draws what `block` holds, under the names that lead to it: at most limits::generated_block_lines
/// lines of limits::generated_line_bytes. What is far from the fault gives way, "…" stands for it.
/// Of a text that breaks nothing is drawn from there on but a sign or a word that breaks it.
drawn_block draw_block(const json_outline& file, std::uint32_t block, byte_range fault,
                       siblings others);

}  // namespace tofud::diagnostics
