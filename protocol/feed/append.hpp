// How values stand in the JSON of rows. For the writers of rows alone.
#pragma once

#include "protocol/ui/timestamp.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::feed {

void append_number(std::string& out, std::integral auto number) {
  std::array<char, 24> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  out.append(text.data(), end);
}

void append_bool(std::string& out, bool value);

/// Quoted; an empty text is null.
void append_text_or_null(std::string& out, std::string_view text);

/// As ui::append_timestamp, quoted.
void append_time(std::string& out, ui::time_point time);
void append_time_or_null(std::string& out, const std::optional<ui::time_point>& time);

/// Seconds with up to six decimals: 0.41, -11.25, 3.
void append_seconds(std::string& out, std::chrono::microseconds time);
/// The same of seconds that are no fact but counted, such as a percentile; never negative.
void append_seconds(std::string& out, double seconds);
void append_seconds_or_null(std::string& out, const std::optional<std::chrono::microseconds>& time);

}  // namespace tofud::feed
