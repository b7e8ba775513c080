// The block below the permanent lines: what runs, and how far the run is.
#pragma once

#include "daemon/terminal/running.hpp"
#include "daemon/terminal/style.hpp"
#include "protocol/feed/row.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tofud::terminal {

/// Cells. A terminal that does not know its size counts as 80 by 24.
struct screen_size {
  std::size_t width = 80, height = 24;
  bool operator==(const screen_size&) const = default;
};

/// What the block shows, at one moment.
struct live_picture {
  feed::run_view run;
  const running_steps* running;
  std::uint64_t refreshed = 0, planned = 0;
  std::optional<ui::time_point> now;  // by the stream's own clock
  usual_of usual{};
  const feed::run_estimate* estimate = nullptr;  // null: nobody knows when it is over
};

/// Its lines, the bar last: at most a third of the screen's height, but one, and each narrower than
/// the screen, so that none is ever wrapped. Text from outside is cleaned here.
std::vector<std::string> live_lines(const live_picture& picture, screen_size screen,
                                    const style& look);

/// What draws lines so that the cursor ends where it began, at the start of the first: whatever is
/// written next, by whomever, stands there, and to erase from the cursor on erases the block.
/// "" for none.
std::string drawn(const std::vector<std::string>& lines);

}  // namespace tofud::terminal
