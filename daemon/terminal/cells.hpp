// How wide text is on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::terminal {

/// Cells that UTF-8 text takes, by Unicode's East Asian widths (utf8proc): 2 for most CJK
/// characters and emoji, 0 for combining ones. Text without control characters; a byte that is no
/// UTF-8 counts one.
std::size_t cells(std::string_view text);

/// The beginning of `text`, cut to `width` cells; what is cut off is shown by `mark` ("…" or
/// "..."), which is part of the width. A character is never cut in two.
std::string cut_end(std::string_view text, std::size_t width, std::string_view mark);

/// The same, cut in the middle: of an address, module and instance key tell most.
std::string cut_middle(std::string_view text, std::size_t width, std::string_view mark);

}  // namespace tofud::terminal
