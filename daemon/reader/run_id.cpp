#include "daemon/reader/run_id.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <sys/random.h>

namespace tofud::reader {

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

std::uint16_t random_digits() {
  std::uint16_t digits = 0;
  // Cannot fail for two bytes but early in boot; then the clock is as good for telling runs apart.
  if (::getrandom(&digits, sizeof digits, GRND_NONBLOCK) != sizeof digits) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    digits = static_cast<std::uint16_t>(now / 1000);
  }
  return digits;
}

}  // namespace tofud::reader
