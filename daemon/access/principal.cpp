#include "daemon/access/principal.hpp"

namespace tofud::access {

const principal& own_user() {
  static const principal user{principal::known_by::owner, "", {true, true, true}, true, nullptr};
  return user;
}

const principal& asking(const http::request& asked) {
  static const principal nobody{};
  return asked.by ? *asked.by : nobody;
}

}  // namespace tofud::access
