// How a block of lines is taken off a terminal.
#pragma once

#include <string_view>

namespace tofud::diagnostics {

/// Erases the line the cursor is in and all below it; the cursor ends at the line's beginning. Not
/// with one ED: at the top left tmux takes that for clearing the screen, and pushes what stands
/// there into its history with every redraw (tmux 3.3a, after a pane was made narrower).
inline constexpr std::string_view erase_from_here =
    "\r\x1b[K\x1b"
    "7\x1b[B\x1b[J\x1b"
    "8";

}  // namespace tofud::diagnostics
