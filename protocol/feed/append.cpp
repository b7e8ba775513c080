#include "protocol/feed/append.hpp"

#include "protocol/json/quote.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace tofud::feed {

using namespace std::string_view_literals;  // append() would measure a plain literal each time

void append_bool(std::string& out, bool value) { out.append(value ? "true"sv : "false"sv); }

void append_text_or_null(std::string& out, std::string_view text) {
  if (text.empty())
    out.append("null"sv);
  else
    json::append_quoted(out, text);
}

void append_time(std::string& out, ui::time_point time) {
  out.push_back('"');
  ui::append_timestamp(out, time);
  out.push_back('"');
}

void append_time_or_null(std::string& out, const std::optional<ui::time_point>& time) {
  if (time)
    append_time(out, *time);
  else
    out.append("null"sv);
}

void append_seconds(std::string& out, std::chrono::microseconds time) {
  std::int64_t micros = time.count();
  if (micros < 0) out.push_back('-');
  micros = std::abs(micros);
  append_number(out, micros / 1'000'000);
  auto rest = micros % 1'000'000;
  if (rest == 0) return;
  std::size_t digits = 6;
  for (; rest % 10 == 0; rest /= 10) --digits;
  out.push_back('.');
  std::array<char, 6> text{};
  for (std::size_t k = digits; k-- > 0; rest /= 10) text[k] = static_cast<char>('0' + rest % 10);
  out.append(text.data(), digits);
}

void append_seconds(std::string& out, double seconds) {
  constexpr double longest = 1e9;  // thirty years
  const double bounded = std::isfinite(seconds) ? std::clamp(seconds, 0.0, longest) : 0;
  append_seconds(out, std::chrono::microseconds{std::llround(bounded * 1e6)});
}

void append_seconds_or_null(std::string& out,
                            const std::optional<std::chrono::microseconds>& time) {
  if (time)
    append_seconds(out, *time);
  else
    out.append("null"sv);
}

}  // namespace tofud::feed
