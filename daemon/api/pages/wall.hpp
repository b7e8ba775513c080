// `/wall/plain`: a card per stack, for a screen that somebody passes and that has no script.
#pragma once

#include "daemon/api/pages/limits.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/feed/stack_row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tofud::pages {

struct wall_card {
  feed::stack_row stack;
  std::optional<feed::run_view> run;  // the one the card shows, if more is known of it
};

struct wall {
  std::vector<wall_card> cards;  // in any order
  ui::time_point now;
};

/// Those that go on come first, then those that failed, then those that wait for somebody, each the
/// newest first. The page asks for itself again every limits::plain_refresh.
std::string wall_page(wall shown);

}  // namespace tofud::pages
