// The socket every session is given, TCP or Unix: the concrete executor of the one loop, no type
// erasure.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>

namespace tofud::fanout {

using executor = boost::asio::io_context::executor_type;
using stream_socket =
    boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, executor>;

/// No delay for small flushes, and bounds on what the kernel holds for a slow reader. A socket
/// that refuses an option works without it.
void bound_kernel_buffers(stream_socket& socket);

/// Bytes the peer has not acknowledged yet.
int unacknowledged(stream_socket& socket);

}  // namespace tofud::fanout
