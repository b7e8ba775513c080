// The socket of every connection, TCP or Unix: the concrete executor of the one loop, no type
// erasure.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>

namespace tofud::http {

using executor = boost::asio::io_context::executor_type;
using stream_socket =
    boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, executor>;

}  // namespace tofud::http
