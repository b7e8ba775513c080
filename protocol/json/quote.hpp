// Writing JSON strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::json {

/// Appends `text` as a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD.
void append_quoted(std::string& out, std::string_view text);

/// The same, cut at a character so that at most `budget` bytes are written between the quotes.
/// Returns the bytes of `text` that were written.
std::size_t append_quoted_cut(std::string& out, std::string_view text, std::size_t budget);

/// Bytes `append_quoted` would write.
std::size_t quoted_size(std::string_view text);

}  // namespace tofud::json
