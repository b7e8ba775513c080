#include "daemon/terminal/words.hpp"

namespace tofud::terminal {

using feed::step_action;

action_words words(step_action action) {
  switch (action) {
    case step_action::create:
      return {"+", "creating", "created", "create"};
    case step_action::update:
      return {"~", "modifying", "modified", "update"};
    case step_action::remove:
      return {"-", "destroying", "destroyed", "destroy"};
    case step_action::read:
      return {"<=", "reading", "read", "read"};
    case step_action::refresh:
      return {" ", "refreshing", "refreshed", "refresh"};
    case step_action::open:
      return {" ", "opening", "opened", "open"};
    case step_action::renew:
      return {" ", "renewing", "renewed", "renew"};
    case step_action::close:
      return {" ", "closing", "closed", "close"};
  }
  return {};
}

}  // namespace tofud::terminal
