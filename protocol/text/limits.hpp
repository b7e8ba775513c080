// Limits of protocol/text, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>

namespace tofud::limits {

/// Text of rows is kept in blocks: some hundred addresses each.
inline constexpr std::size_t arena_block_bytes = 64 * kib;

// ---- what is exported ----------------------------------------------------------------------
/// GitHub takes comments and pull request texts of 65,536 characters; the rest is the reader's own.
inline constexpr std::size_t markdown_bytes = 60'000;
/// Of that, for errors: they come first, but the table is to have room.
inline constexpr std::size_t markdown_error_bytes = 30'000;
/// Of one diagnostic's text and of one address in Markdown: what people read of it.
inline constexpr std::size_t markdown_text_bytes = 4'000;
inline constexpr std::size_t markdown_word_bytes = 300;
/// Characters of a comment with a plan's changes. One below what GitHub takes (65,536).
inline constexpr std::size_t markdown_plan_characters = 65'535;
/// Of that, one resource's: the others are to have room.
inline constexpr std::size_t markdown_change_bytes = 8'000;
/// Objects that `recover` lists; a run holds no more resources than that.
inline constexpr std::size_t recovered_objects = 1'000'000;
/// Of a file of state: one of fifty thousand resources has some hundred megabytes.
inline constexpr std::size_t state_file_bytes = 1 * gib;

/// Bytes the kernel may hold for one subscriber. Its default hides 2.8 MB of stale rows.
inline constexpr int send_buffer_bytes = 128 * 1024;
inline constexpr int unsent_bytes = 64 * 1024;

}  // namespace tofud::limits
