#include "daemon/stacks/contact.hpp"

#include "protocol/limits.hpp"

namespace tofud::stacks {

feed::run_contact contact(ui::time_point last, ui::time_point now) {
  const auto silent = now - last;
  if (silent >= limits::contact_lost_after) return feed::run_contact::lost;
  if (silent >= limits::no_contact_after) return feed::run_contact::none;
  return feed::run_contact::ok;
}

std::optional<ui::time_point> contact_changes_at(ui::time_point last, ui::time_point now) {
  switch (contact(last, now)) {
    case feed::run_contact::ok:
      return last + limits::no_contact_after;
    case feed::run_contact::none:
      return last + limits::contact_lost_after;
    case feed::run_contact::lost:
      break;
  }
  return std::nullopt;
}

}  // namespace tofud::stacks
