// GET /v1/stream: from a checked HTTP request to a subscriber over one of three transports.
#pragma once

#include "daemon/fanout/hub.hpp"
#include "daemon/http/handover.hpp"
#include "daemon/http/message/response.hpp"

#include <optional>

namespace tofud::fanout {

/// Makes a subscriber of the connection and returns nothing: its socket is moved from. Or leaves it
/// alone and returns what to answer: a status, and {"code":…,"message":…}. A WebSocket is always
/// accepted: browsers can't see statuses, so it gets an `error` line and a close 44xx.
std::optional<http::response> serve(hub& hub, http::handover& connection, viewer who);

/// The answer to a request that the hub refused.
http::response problem(const refusal& why);

}  // namespace tofud::fanout
