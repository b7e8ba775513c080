// The state listener and connections share, and the life of one connection.
#pragma once

#include "daemon/http/listener.hpp"
#include "daemon/http/local_socket_file.hpp"
#include "daemon/http/message/response.hpp"
#include "daemon/http/peer_uid.hpp"
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
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tofud::http {

using steady = std::chrono::steady_clock;
using timer = boost::asio::basic_waitable_timer<steady, boost::asio::wait_traits<steady>, executor>;
using acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, executor>;
using local_acceptor =
    boost::asio::basic_socket_acceptor<boost::asio::local::stream_protocol, executor>;

/// By which listening socket a connection was accepted.
struct acceptance {
  transport via = transport::tcp;
  std::uint16_t port = 0;  // of the socket; on Unix sockets that of the first TCP socket
  bool reserved = false;   // beyond the limit: only for what must go on
  bool was_given = false;  // by a service manager
};

/// What the sweep needs of a connection. When its time is up, what it waits for is cancelled.
struct connection
    : boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
  connection(stream_socket taken, acceptance by, peer other)
      : socket{std::move(taken)}, accepted{by}, from{std::move(other)} {}

  void give(std::chrono::milliseconds time) {
    deadline = steady::now() + time;
    timed_out = false;
  }
  void give_for_ever() {
    deadline = steady::time_point::max();
    timed_out = false;
  }

  stream_socket socket;
  acceptance accepted;
  peer from;
  steady::time_point deadline = steady::time_point::max();
  timer* waiting = nullptr;  // for a value that comes later; pending.hpp
  bool timed_out = false;
  bool idle = false;        // waits for the first byte of a request
  bool receiving = false;   // a body or a raw stream
  bool cut = false;         // while receiving: is to end as if the client had gone
  bool in_the_way = false;  // is to leave at once: others wait for its place
  bool is_known = false;    // its client has shown who it is; else it is unauthenticated
  /// Requests of an unauthenticated client in the second that began then.
  unsigned requests = 0;
  steady::time_point second{};
};

struct tcp_acceptor {
  acceptor accepting;
  std::uint16_t port;
};

/// A descriptor that is kept to have one when there is none.
class spare_descriptor {
 public:
  spare_descriptor() { (void)take(); }
  spare_descriptor(const spare_descriptor&) = delete;
  spare_descriptor& operator=(const spare_descriptor&) = delete;
  ~spare_descriptor() { (void)give(); }
  /// If it has none; false: there is none to be had.
  bool take();
  /// False: there was none.
  bool give();

 private:
  int fd_ = -1;
};

struct listener_state : std::enable_shared_from_this<listener_state> {
  listener_state(boost::asio::io_context& context, router& table, listener_options chosen);

  void sweep_later();
  void sweep();
  void close();
  void cut_bodies();
  /// Makes room among unauthenticated connections if they are more than their share: the one goes
  /// that came first and is not being answered.
  void bound_unauthenticated();
  /// Logs at a bounded rate.
  void log_failure(std::string_view what) noexcept;

  boost::asio::io_context& io;
  router& routes;
  listener_options options;
  std::list<tcp_acceptor> tcp_acceptors;
  std::optional<local_socket_file> local;
  struct given_local_acceptor {
    local_acceptor accepting;
    bool was_given;
  };
  std::list<given_local_acceptor> local_acceptors;
  std::function<std::unique_ptr<body_taker>(const peer&)> raw;
  request_check check;  // empty: only our user and root may ask, and only by loopback names
  std::function<void(const request&, const response&)> answered;  // may be empty
  timer sweep_clock;
  peer_lookup peers;
  std::uint16_t port = 0;  // of the first TCP socket
  std::size_t count = 0;
  std::size_t unauthenticated = 0;  // of `open`
  std::unordered_map<std::string, std::size_t> by_address;
  counters counted;
  spare_descriptor spare;
  boost::intrusive::list<connection, boost::intrusive::constant_time_size<false>> open;
  bool sweeping = false;
  bool closed = false;
  steady::time_point complained{};
  std::uint64_t complaints = 0;
};

/// Serves one connection until it ends or is handed over, after the handshake if it is of TLS. With
/// `refused` it gets that answer and nothing is read.
boost::asio::awaitable<void, executor> serve_connection(std::shared_ptr<listener_state> state,
                                                        stream_socket socket, acceptance accepted,
                                                        peer from, std::shared_ptr<void> ticket,
                                                        std::optional<response> refused);

}  // namespace tofud::http
