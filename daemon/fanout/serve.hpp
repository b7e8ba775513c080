// GET /v1/stream: from a checked HTTP request to a subscriber over one of three transports.
#pragma once

#include "daemon/fanout/hub.hpp"
#include "daemon/fanout/opening.hpp"
#include "daemon/fanout/socket.hpp"

#include <optional>
#include <string>

namespace tofud::fanout {

/// What a request got that does not become a stream: an HTTP status, and {"code":…,"message":…}.
struct plain_answer {
  int status = 400;
  std::string content_type, body;
};

/// Makes a subscriber of the connection and returns nothing: `socket` is moved from. Or leaves
/// `socket` alone and returns what to answer. A WebSocket is always accepted: browsers can't see
/// statuses, so it gets an `error` line and a close 44xx.
std::optional<plain_answer> serve(hub& hub, stream_socket& socket, opening request);

}  // namespace tofud::fanout
