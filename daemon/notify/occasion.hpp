// What somebody may want to be told of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tofud::notify {

enum class occasion : std::uint8_t {
  failed,     // a run ended with an error
  recovered,  // one succeeded whose like had failed before it
  lost,       // its sender has fallen silent
  waiting,    // it waits for an approval since limits::told_waiting_after
  overrun,    // it takes more than twice as long as runs like it
  drift,      // its plan found changes outside of OpenTofu
  destroy,    // its plan destroys something
  test,       // somebody tries the rule
};
inline constexpr std::size_t occasions = 8;

std::string_view name(occasion what);
/// Nothing: no rule may name it.
std::optional<occasion> parse_occasion(std::string_view word);

}  // namespace tofud::notify
