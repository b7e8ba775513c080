// A table of runs that fits the terminal.
#pragma once

#include "daemon/terminal/style.hpp"
#include "protocol/feed/row.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud::terminal {

struct listed_run {
  feed::run_view run;
  std::chrono::system_clock::time_point began;
  bool read = true;         // else only `id` and `began` are known
  std::uint64_t bytes = 0;  // of its stream
};

/// Lines without newlines, a line of column names first, at most `width` cells wide (0: as wide as
/// they are). What does not fit is taken from the
/// stack's middle, then columns are left out from the right; the id always stays. Text from outside
/// is sanitized here.
std::vector<std::string> run_table(const std::vector<listed_run>& runs,
                                   std::chrono::system_clock::time_point now, std::size_t width,
                                   const style& look);

/// "just now", "5m ago", "3h ago", "2d ago".
std::string age_text(std::chrono::system_clock::duration age);

}  // namespace tofud::terminal
