// Somebody who is logged in, as other daemons are told of him.
#pragma once

#include "daemon/access/principal.hpp"
#include "daemon/access/token.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::access {

struct told_session {
  principal by;  // without a permit
  time since;
  bool is_ticket = false;  // it stands for a session that nobody has begun yet
};

/// One JSON object.
std::string to_text(const told_session& one);
std::optional<told_session> parse_session(std::string_view text);

}  // namespace tofud::access
