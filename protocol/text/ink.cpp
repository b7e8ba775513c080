#include "protocol/text/ink.hpp"

namespace tofud::text {

std::string_view ink::operator[](style wanted) const {
  if (wanted_ == colours::no) return {};
  switch (wanted) {
    case style::reset:
      return "\x1b[0m";
    case style::bold:
      return "\x1b[1m";
    case style::underline:
      return "\x1b[4m";
    case style::red:
      return "\x1b[31m";
    case style::green:
      return "\x1b[32m";
    case style::yellow:
      return "\x1b[33m";
    case style::cyan:
      return "\x1b[36m";
    case style::dark_gray:
      return "\x1b[90m";
  }
  return {};
}

}  // namespace tofud::text
