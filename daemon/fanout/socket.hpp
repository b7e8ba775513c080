// The socket every session is given, and what a subscriber's needs.
#pragma once

#include "daemon/net/socket.hpp"

namespace tofud::fanout {

using net::as_result;
using net::executor;
using net::stream_socket;

/// No delay for small flushes, and bounds on what the kernel holds for a slow reader. A socket
/// that refuses an option works without it.
void bound_kernel_buffers(stream_socket& socket);

/// Bytes the peer has not acknowledged yet.
int unacknowledged(stream_socket& socket);

}  // namespace tofud::fanout
