// What changes the outboxes of daemons that share them: each applies all changes, in one order.
#pragma once

#include "daemon/notify/outbox.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tofud::notify {

struct outbox_change {
  enum class kind : std::uint8_t {
    took,       // `what` happened
    merged,     // `what.of` of `rule` takes the places of the messages `ids`
    delivered,  // the message `ids` was
  };
  kind how = kind::took;
  happening what;
  std::string rule;
  std::vector<std::string> ids;
};

std::string to_json(const outbox_change& change);
text::result<outbox_change> parse_outbox_change(std::string_view json);

}  // namespace tofud::notify
