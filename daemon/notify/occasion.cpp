#include "daemon/notify/occasion.hpp"

#include <array>

namespace tofud::notify {
namespace {

constexpr std::array<std::string_view, occasions> names{
    "failed", "recovered", "lost", "waiting", "overrun", "drift", "destroy", "test"};

}  // namespace

std::string_view name(occasion what) { return names[static_cast<std::size_t>(what)]; }

std::optional<occasion> parse_occasion(std::string_view word) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(occasion::test); ++i)
    if (names[i] == word) return static_cast<occasion>(i);
  return std::nullopt;
}

}  // namespace tofud::notify
