#include "protocol/diff/plain_number.hpp"

#include <algorithm>
#include <charconv>

namespace tofud::diff {
namespace {

constexpr int longest_exponent = 400;  // beyond what a double holds

}  // namespace

std::string plain_number(std::string_view json) {
  const std::size_t mark = json.find_first_of("eE");
  if (mark == std::string_view::npos) return std::string{json};
  std::string_view power = json.substr(mark + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  int exponent = 0;
  const auto [end, wrong] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (wrong != std::errc{} || end != power.data() + power.size() || exponent > longest_exponent ||
      exponent < -longest_exponent)
    return std::string{json};
  std::string_view mantissa = json.substr(0, mark);
  const bool negative = mantissa.starts_with('-');
  if (negative) mantissa.remove_prefix(1);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits{mantissa.substr(0, point)};
  if (point < mantissa.size()) digits.append(mantissa.substr(point + 1));
  // Where the point comes to stand among the digits.
  int place = static_cast<int>(point) + exponent;
  if (place <= 0) {
    digits.insert(0, static_cast<std::size_t>(1 - place), '0');
    place = 1;
  }
  if (static_cast<std::size_t>(place) > digits.size())
    digits.append(static_cast<std::size_t>(place) - digits.size(), '0');
  std::string whole = digits.substr(0, static_cast<std::size_t>(place));
  std::string rest = digits.substr(static_cast<std::size_t>(place));
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
  rest.erase(rest.find_last_not_of('0') + 1);
  if (!rest.empty()) whole.append(".").append(rest);
  return negative ? "-" + whole : whole;
}

}  // namespace tofud::diff
