// The state listener and connections share, and the life of one connection.
#pragma once

#include "daemon/http/listener.hpp"
#include "daemon/http/local_door.hpp"
#include "daemon/http/peer_uid.hpp"
#include "daemon/http/response.hpp"
#include "daemon/http/router.hpp"
#include "daemon/http/socket.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace tofud::http {

using steady = std::chrono::steady_clock;
using timer = boost::asio::basic_waitable_timer<steady, boost::asio::wait_traits<steady>, executor>;
using acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, executor>;
using local_acceptor =
    boost::asio::basic_socket_acceptor<boost::asio::local::stream_protocol, executor>;

/// What the sweep needs of a connection. When its time is up, what it waits for is cancelled.
struct connection
    : boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
  connection(stream_socket taken, transport door, peer other)
      : socket{std::move(taken)}, via{door}, from{std::move(other)} {}

  void give(std::chrono::milliseconds time) {
    deadline = steady::now() + time;
    timed_out = false;
  }
  void give_for_ever() {
    deadline = steady::time_point::max();
    timed_out = false;
  }

  stream_socket socket;
  transport via;
  peer from;
  steady::time_point deadline = steady::time_point::max();
  timer* waiting = nullptr;  // for a value that comes later; pending.hpp
  bool timed_out = false;
  bool idle = false;       // waits for the first byte of a request
  bool receiving = false;  // a body or a raw stream
  bool cut = false;        // while receiving: is to end as if the client had gone
};

struct listener_state : std::enable_shared_from_this<listener_state> {
  listener_state(boost::asio::io_context& context, const router& table, listener_options chosen);

  void sweep_later();
  void sweep();
  void close();
  void cut_bodies();
  /// Logs at a bounded rate.
  void complain(std::string_view what) noexcept;

  boost::asio::io_context& io;
  const router& routes;
  listener_options options;
  acceptor door;
  std::optional<local_door> local;
  local_acceptor local_accepting;
  std::function<std::unique_ptr<body_taker>()> raw;
  request_check check;  // empty: only our user and root may ask, and only by loopback names
  timer sweep_clock;
  peer_lookup peers;
  std::uint16_t port = 0;
  std::size_t count = 0;
  boost::intrusive::list<connection, boost::intrusive::constant_time_size<false>> open;
  bool sweeping = false;
  bool closed = false;
  steady::time_point complained{};
  std::uint64_t complaints = 0;
};

/// Serves one connection until it ends or is handed over. With `refused` it gets that answer and
/// nothing is read.
boost::asio::awaitable<void, executor> serve_connection(std::shared_ptr<listener_state> state,
                                                        stream_socket socket, transport via,
                                                        peer from, std::shared_ptr<void> ticket,
                                                        std::optional<response> refused);

}  // namespace tofud::http
