// Text from outside in Markdown, as GitHub reads it: it can be nothing but text there.
#pragma once

#include "protocol/text/limits.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::text {

/// Within a line or a table's cell: as code, so that nothing in it is markup, a link or a mention.
/// Cut at limits::markdown_word_bytes.
std::string markdown_code(std::string_view text);

/// The same inside of HTML.
std::string html_code(std::string_view text);

/// As a block in that language, with a fence longer than any in it. Cut at `bytes`.
std::string markdown_block(std::string_view text, std::string_view language = "text",
                           std::size_t bytes = limits::markdown_text_bytes);

}  // namespace tofud::text
