#include "daemon/access/principal.hpp"

#include "protocol/feed/labels_text.hpp"

namespace tofud::access {

const principal& own_user() {
  static const principal user{principal::known_by::owner, "", {true, true, true}, true, nullptr};
  return user;
}

std::function<bool(std::string_view, std::string_view)> run_filter_of(const principal& by) {
  if (!by.within) return nullptr;
  return [within = by.within](std::string_view stack, std::string_view granted) {
    return within->labels.empty() ? within->holds(stack)
                                  : within->holds(stack, feed::parse_labels_text(granted));
  };
}

std::string lasting_name(const principal& by) {
  switch (by.how) {
    case principal::known_by::issuer:
    case principal::known_by::token:
    case principal::known_by::session:
      if (by.verified) return by.verified->issuer + " " + by.verified->subject;
      return "token " + by.who;
    case principal::known_by::proxy:
      return "user " + by.who;
    case principal::known_by::sender:
    case principal::known_by::socket:
    case principal::known_by::nobody:
    case principal::known_by::owner:
      break;
  }
  return "";
}

const principal& asking(const http::request& asked) {
  static const principal nobody{};
  return asked.by ? *asked.by : nobody;
}

}  // namespace tofud::access
