// Whole numbers as headers, queries and addresses write them.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace tofud::text {

/// Decimal digits and nothing else: no sign, no space, no point. Nothing on anything else, on an
/// empty text, and on what `Number` can't hold.
template <std::unsigned_integral Number>
std::optional<Number> parse_whole_number(std::string_view text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace tofud::text
