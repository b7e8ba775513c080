#include "daemon/cli/speed_argument.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::cli {
namespace {

/// The number in "4" or "4x", 0 for "max"; nothing for what is no speed.
std::optional<double> parse_speed(const std::string& text) {
  if (text == "max") return 0;
  char* end = nullptr;
  const double speed = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || (*end != '\0' && std::string_view{end} != "x")) return std::nullopt;
  if (!(speed > 0)) return std::nullopt;
  return speed;
}

std::string check_speed(const std::string& text) {
  if (parse_speed(text)) return "";
  return "'" + text + "' is not a speed; give a number such as 4, or max";
}

}  // namespace

void add_speed_argument(command& words, double& speed) {
  words
      .read_option(
          "--speed", [&speed](const std::string& text) { speed = *parse_speed(text); },
          "Playback speed: a number such as 4, or max")
      .value("N|max")
      .check(check_speed);
}

}  // namespace tofud::cli
