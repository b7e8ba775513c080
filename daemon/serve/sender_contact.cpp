#include "daemon/serve/sender_contact.hpp"

#include "daemon/operations/utc_now.hpp"
#include "daemon/wall/contact.hpp"

#include <algorithm>
#include <utility>

namespace tofud::serve {

void sender_contact::heard() {
  last_ = steady::now();
  before_.reset();
}

void sender_contact::could_not_hear() {
  last_ = steady::now();
  if (!before_) before_ = operations::utc_now();
}

feed::run_contact sender_contact::now() const {
  if (connected_) return feed::run_contact::ok;
  const auto on_it = [](steady::time_point at) {
    return ui::time_point{
        std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch())};
  };
  const auto here = wall::contact(on_it(last_), on_it(steady::now()));
  if (!before_) return here;
  // Its sender may well be on its way back, so it is not lost yet.
  const auto in_all = wall::contact(*before_, operations::utc_now());
  if (here == feed::run_contact::ok) return std::min(in_all, feed::run_contact::none);
  return std::max(in_all, here);
}

bool sender_contact::differs(feed::run_contact now) { return std::exchange(shown_, now) != now; }

}  // namespace tofud::serve
