// The socket of every connection, by its name in this room.
#pragma once

#include "daemon/net/socket.hpp"

namespace tofud::http {

using net::as_result;
using net::executor;
using net::stream_socket;

}  // namespace tofud::http
