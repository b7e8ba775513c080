// Letters, digits and blanks of ASCII: whatever the locale, bytes beyond are passed over.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tofud::text {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) c = lower(c);
  return out;
}

/// The value of a hexadecimal digit of either case; -1: it is none.
constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = lower(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/// Nothing else: no letters of other scripts, and bytes that are no text.
inline bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Nothing that moves a cursor either.
inline bool is_printed_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// Without `blanks` at both ends. What HTTP calls optional whitespace if nothing is named (RFC
/// 9110, 5.6.3).
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// As names of fields and schemes are compared.
inline bool equal_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char one, char other) { return lower(one) == lower(other); });
}

}  // namespace tofud::text
