#include "daemon/stacks/contact.hpp"

#include "protocol/limits.hpp"

namespace tofud::stacks {

feed::contact_state contact(ui::time_point last, ui::time_point now) {
  const auto silent = now - last;
  if (silent >= limits::contact_lost_after) return feed::contact_state::lost;
  if (silent >= limits::no_contact_after) return feed::contact_state::none;
  return feed::contact_state::ok;
}

std::optional<ui::time_point> contact_changes_at(ui::time_point last, ui::time_point now) {
  switch (contact(last, now)) {
    case feed::contact_state::ok:
      return last + limits::no_contact_after;
    case feed::contact_state::none:
      return last + limits::contact_lost_after;
    case feed::contact_state::lost:
    case feed::contact_state::unknown:
      break;
  }
  return std::nullopt;
}

}  // namespace tofud::stacks
