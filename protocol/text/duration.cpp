#include "protocol/text/duration.hpp"

#include <cstdint>

namespace tofud::text {
namespace {

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

std::string duration(std::chrono::microseconds of) {
  using namespace std::chrono;
  if (of < microseconds{0}) of = microseconds{0};
  // What would round to "1000ms" or "10.0s" is told in the next form.
  if (of < microseconds{999'500}) return std::to_string(round<milliseconds>(of).count()) + "ms";
  if (of < milliseconds{9950}) {
    const auto tenths = duration_cast<milliseconds>(of + milliseconds{50}).count() / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "s";
  }
  const std::int64_t s = round<seconds>(of).count();
  if (s < 60) return std::to_string(s) + "s";
  if (s < 3600) return std::to_string(s / 60) + "m" + two_digits(s % 60) + "s";
  return std::to_string(s / 3600) + "h" + two_digits(s / 60 % 60) + "m";
}

}  // namespace tofud::text
