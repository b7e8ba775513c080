// Listens on TCP, plain or TLS, and on Unix sockets, checks who connects, reads requests and
// answers them through the router.
#pragma once

#include "daemon/http/counters.hpp"
#include "daemon/http/limits.hpp"
#include "daemon/http/message/limits.hpp"
#include "daemon/http/router.hpp"
#include "daemon/net/limits.hpp"
#include "daemon/net/tls_context.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::http {

/// Where to listen: the first free port of a range.
struct listen_address {
  boost::asio::ip::address address = boost::asio::ip::address_v4::loopback();
  std::uint16_t port = 8638;  // 0: any
  unsigned more_ports = 100;  // tried after `port` when that is taken
};

/// A sentence for the user.
struct listen_failure {
  std::string message;
};
[[noreturn]] void throw_exception_from_error(const listen_failure& failure,
                                             const boost::source_location&);

/// Reads `ADDR:PORT` (exactly that port; 0: any), such as `127.0.0.1:8638`, `[::]:8638`.
boost::system::result<listen_address, listen_failure> parse_listen_address(std::string_view text);

/// Who may use a Unix socket: our user and root, or whoever the mode of its file lets in.
enum class local_peers : std::uint8_t { owner, mode };

/// Asked about every request before it is routed: nothing, or why it may not be. It may take a part
/// off `path` and say who asks (request::by, permit).
using request_check = std::function<std::optional<response>(request&)>;
/// TCP that other machines reach takes TLS, and tokens of those who come, or somebody who says that
/// it is meant so.
struct exposure {
  bool insecure = false;
  std::function<bool()> has_token;  // asked when listening begins; empty: there is none
};

struct listener_options {
  /// At most; fewer where the process may open fewer descriptors.
  std::size_t connections = limits::connections;
  std::size_t connections_per_address = limits::connections_per_address;
  std::size_t connections_in_reserve = limits::connections_in_reserve;
  /// Addresses that speak for many (proxies) and so are not counted; those of this machine never
  /// are. Empty: there are none.
  std::function<bool(const boost::asio::ip::address&)> is_proxy;
  /// All TCP is TLS with it; Unix sockets never are. May be read again at any time.
  std::shared_ptr<const net::tls_context> tls;
  exposure beyond_loopback;
  std::size_t header_bytes = limits::header_bytes;
  std::chrono::milliseconds header_time = limits::header_time;
  std::chrono::milliseconds idle_time{60'000};  // between two requests of a connection
  std::chrono::milliseconds stalled_after = limits::stalled_after;
  std::chrono::milliseconds linger_time{2000};  // for the client to read an answer before a close
  std::chrono::milliseconds sweep{500};
  /// A sentence while reads are refused for want of memory; uploads, and questions about the
  /// daemon itself, are not. Empty, or without a sentence: there is room.
  std::function<std::string()> why_full;
  /// Nothing: `owner` for a socket that we make, `mode` for one that was given, since whoever made
  /// that has chosen its mode.
  std::optional<local_peers> local;
};

/// A sentence if `where` can't be listened on with these `options`, else "".
std::string refuse_exposure(const boost::asio::ip::address& where, const listener_options& options);

/// Under what a connection of `peer` is counted for connections_per_address; empty: it is not.
std::string counted_as(const listener_options& options, const boost::asio::ip::address& peer);

/// The soft limit of descriptors becomes the hard one. For programs that start no others.
void raise_descriptor_limit();

struct listener_state;  // listener.cpp

/// `routes` must outlive the loop's last turn; connections may outlive the listener.
class listener {
 public:
  listener(boost::asio::io_context& io, router& routes, listener_options options = {});
  ~listener();
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;

  /// Binds and listens; connections wait in the kernel until `start`. May be called for more than
  /// one address.
  boost::system::result<boost::asio::ip::tcp::endpoint, listen_failure> bind(
      const listen_address& where);
  /// Binds and listens on a Unix socket as well, mode 0600, for our user and root. Makes its parent
  /// directory (0700) if there is none. Takes over a socket that nobody listens on any more, never
  /// one that answers, nor a file that is no socket.
  boost::system::result<void, listen_failure> bind_local(const std::string& path);
  /// Takes over a listening stream socket, TCP or Unix, that somebody else has made (systemd), and
  /// closes it in the end; a Unix socket's file stays where it is. Of TCP the endpoint, of Unix
  /// nothing. On failure the descriptor is still the caller's.
  boost::system::result<std::optional<boost::asio::ip::tcp::endpoint>, listen_failure> adopt(
      int fd);
  /// On Unix sockets, a connection that does not begin like an HTTP request is a raw stream,
  /// given to the taker that `open` makes for its peer. Its answer is not written if its status is
  /// below 300, else one line with its message; the rest of the stream is read and forgotten, since
  /// who writes it may be an apply. Before `start`.
  void on_raw(std::function<std::unique_ptr<body_taker>(const peer&)> open);
  /// Without it other users of this machine are refused when they connect. Before `start`.
  void check_first(request_check check);
  /// Told of every request when it is answered, or has become a stream (101 or 200, without
  /// headers). Before `start`.
  void on_answer(std::function<void(const request&, const response&)> told);
  /// Accepts from now on, on the sockets that are bound.
  void start();
  /// Accepts no more and ends connections that wait for a request. Streams and bodies go on. The
  /// Unix socket's file is removed if it is still ours.
  void close();
  /// Bodies and raw streams that are still coming end as if their clients had gone, within the next
  /// turns of the loop.
  void cut_bodies();

  /// Connections that are open, streams included.
  std::size_t connections() const;
  /// As long as the listener lives.
  const counters& counted() const;

 private:
  std::shared_ptr<listener_state> state_;
};

}  // namespace tofud::http
