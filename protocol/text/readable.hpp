// Text from outside in documents for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::text {

/// Fit to be read in any document: valid UTF-8 without terminal sequences; other control characters
/// but tab and newline, bidirectional overrides and what XML has no place for are U+FFFD. A
/// carriage return is a newline. Each format escapes on top of it.
std::string readable(std::string_view text);

/// The same on one line.
std::string readable_line(std::string_view text);

/// At most so many bytes of it, then "…" if there is more; characters stay whole.
std::string beginning(std::string text, std::size_t bytes);

}  // namespace tofud::text
