// The characters of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofud::text {

/// What stands where bytes are no UTF-8: U+FFFD.
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the character at `i`, which has its top bit set; 0: it is no UTF-8.
std::size_t character_length(std::string_view text, std::size_t i);

bool valid_utf8(std::string_view text);

/// `text` with every byte that is no part of a character replaced by U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

}  // namespace tofud::text
