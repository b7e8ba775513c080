// What an action is called.
#pragma once

#include "protocol/feed/row.hpp"

#include <string_view>

namespace tofud::terminal {

/// "+", "creating", "created", "create". What changes nothing has no sign, but a space.
struct action_words {
  std::string_view sign, running, done, noun;
};
action_words words(feed::step_action action);

}  // namespace tofud::terminal
