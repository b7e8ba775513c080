// A connection on its way from HTTP to who streams on it.
#pragma once

#include "daemon/http/message/request.hpp"
#include "daemon/http/socket.hpp"

#include <memory>
#include <string>

namespace tofud::http {

/// A connection whose request asks for a stream.
struct handover {
  stream_socket& socket;  // moved from by who takes the connection
  const request& asked;
  std::string& read_ahead;       // bytes that came after the head; to be taken with the socket
  std::shared_ptr<void> ticket;  // counts the connection; to be kept as long as the socket
};

}  // namespace tofud::http
