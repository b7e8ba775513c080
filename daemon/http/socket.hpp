// The socket of every connection: the concrete executor of the one loop, no type erasure.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace tofud::http {

using executor = boost::asio::io_context::executor_type;
using tcp_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, executor>;

}  // namespace tofud::http
