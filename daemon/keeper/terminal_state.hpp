// The terminal as it was, to put it right after a worker died in the middle of a line.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <termios.h>

namespace tofud::keeper {

class terminal_state {
 public:
  /// Remembers the settings of stdout and stderr, where they are terminals.
  terminal_state();
  /// Settings as they were, normal colours, a visible cursor; on stdout `more` besides. Leaves
  /// alone a terminal that another process group is using now.
  void restore(std::string_view more = {}) const noexcept;

 private:
  std::array<std::optional<termios>, 2> settings_;
};

}  // namespace tofud::keeper
