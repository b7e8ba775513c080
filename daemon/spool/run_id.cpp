#include "daemon/spool/run_id.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <sys/random.h>

namespace tofud::spool {

std::string run_id(std::chrono::system_clock::time_point begin, std::uint16_t digits) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(begin);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const auto length = std::strftime(text.data(), text.size(), "%Y%m%dT%H%M-", &utc);
  std::snprintf(text.data() + length, text.size() - length, "%04x", unsigned{digits});
  return text.data();
}

bool is_run_id(std::string_view text) {
  constexpr std::string_view form = "ddddddddTdddd-xxxx";
  const auto fits = [](char c, char wanted) {
    const bool digit = c >= '0' && c <= '9';
    if (wanted == 'd') return digit;
    if (wanted == 'x') return digit || (c >= 'a' && c <= 'f');
    return c == wanted;
  };
  return text.size() == form.size() && std::equal(text.begin(), text.end(), form.begin(), fits);
}

std::optional<std::chrono::system_clock::time_point> minute_of(std::string_view id) {
  if (!is_run_id(id)) return std::nullopt;
  const auto number = [id](std::size_t from, std::size_t digits) {
    int value = 0;
    for (const char c : id.substr(from, digits)) value = value * 10 + (c - '0');
    return value;
  };
  std::tm utc{};
  utc.tm_year = number(0, 4) - 1900;
  utc.tm_mon = number(4, 2) - 1;
  utc.tm_mday = number(6, 2);
  utc.tm_hour = number(9, 2);
  utc.tm_min = number(11, 2);
  const std::tm given = utc;
  const std::time_t seconds = ::timegm(&utc);
  // timegm takes the 31st of February for a day of March.
  if (utc.tm_mon != given.tm_mon || utc.tm_mday != given.tm_mday || utc.tm_hour != given.tm_hour ||
      utc.tm_min != given.tm_min) {
    return std::nullopt;
  }
  // A clock of nanoseconds ends in the year 2262.
  constexpr std::time_t last = std::chrono::floor<std::chrono::seconds>(
                                   std::chrono::system_clock::time_point::max().time_since_epoch())
                                   .count();
  if (seconds < -last || seconds > last) return std::nullopt;
  return std::chrono::system_clock::from_time_t(seconds);
}

std::uint16_t random_digits() {
  std::uint16_t digits = 0;
  // Cannot fail for two bytes but early in boot; then the clock is as good for telling runs apart.
  if (::getrandom(&digits, sizeof digits, GRND_NONBLOCK) != sizeof digits) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    digits = static_cast<std::uint16_t>(now / 1000);
  }
  return digits;
}

}  // namespace tofud::spool
