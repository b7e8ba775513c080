#include "daemon/terminal/duration.hpp"

namespace tofud::terminal {

std::string duration_text(std::chrono::microseconds duration) {
  using namespace std::chrono;
  if (duration < microseconds{0}) duration = microseconds{0};
  if (duration < milliseconds{9950}) {  // 9.95 s and more would round to "10.0s"
    const auto tenths = duration_cast<milliseconds>(duration + milliseconds{50}).count() / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "s";
  }
  const auto all = round<seconds>(duration).count();
  std::string text;
  if (all >= 3600) text += std::to_string(all / 3600) + "h";
  if (all >= 60) text += std::to_string(all / 60 % 60) + "m";
  return text + std::to_string(all % 60) + "s";
}

}  // namespace tofud::terminal
