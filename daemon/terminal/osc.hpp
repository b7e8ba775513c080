// What a terminal can be told besides text.
#pragma once

#include "daemon/terminal/colour.hpp"
#include "protocol/feed/forecast.hpp"
#include "protocol/feed/row.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::terminal {

/// OSC 9;4, by which some terminals show progress in their tab and the desktop in its dock.
enum class osc_state : std::uint8_t { none = 0, normal = 1, failed = 2, unknown = 3, paused = 4 };
struct osc_progress {
  osc_state state = osc_state::none;
  unsigned percent = 0;
  bool operator==(const osc_progress&) const = default;
};
/// By time where it is known when the run is over, else by what is done.
osc_progress progress_of(const feed::run_view& run, const feed::run_estimate* estimate = nullptr,
                         std::optional<ui::time_point> now = std::nullopt);
std::string sequence(osc_progress progress);

/// OSC 8: `text` as a link to `url`. Both are ours.
std::string link(std::string_view url, std::string_view text);

/// Whether this terminal can be told either: most ignore what they do not know, but the console of
/// Linux may print it, and iTerm2 and rxvt take OSC 9 for a notification.
bool takes_osc_progress(const environment& env);
bool takes_links(const environment& env);

}  // namespace tofud::terminal
