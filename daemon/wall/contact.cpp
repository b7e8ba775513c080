#include "daemon/wall/contact.hpp"

#include "daemon/wall/limits.hpp"

namespace tofud::wall {

feed::run_contact contact(ui::time_point last, ui::time_point now) {
  const auto silent = now - last;
  if (silent >= limits::contact_lost_after) return feed::run_contact::lost;
  if (silent >= limits::no_contact_after) return feed::run_contact::none;
  return feed::run_contact::ok;
}

}  // namespace tofud::wall
