// Listens on loopback, checks who connects, reads requests and answers them through the router.
#pragma once

#include "daemon/http/router.hpp"
#include "protocol/limits.hpp"

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

/// Reads `ADDR:PORT` (exactly that port; 0: any). Only loopback addresses are taken so far.
boost::system::result<listen_address, listen_failure> parse_listen_address(std::string_view text);

struct listener_options {
  std::size_t connections = limits::connections;
  std::chrono::milliseconds header_time = limits::header_time;
  std::chrono::milliseconds idle_time{60'000};  // between two requests of a connection
  std::chrono::milliseconds stalled_after = limits::stalled_after;
  std::chrono::milliseconds linger_time{2000};  // for the client to read an answer before a close
  std::chrono::milliseconds sweep{500};
};

struct listener_state;  // listener.cpp

/// `routes` must outlive the loop's last turn; connections may outlive the listener.
class listener {
 public:
  listener(boost::asio::io_context& io, const router& routes, listener_options options = {});
  ~listener();
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;

  /// Binds and listens; connections wait in the kernel until `start`.
  boost::system::result<boost::asio::ip::tcp::endpoint, listen_failure> bind(
      const listen_address& where);
  /// Accepts from now on.
  void start();
  /// Accepts no more and ends connections that wait for a request. Streams go on.
  void close();

  /// Connections that are open, streams included.
  std::size_t connections() const;

 private:
  std::shared_ptr<listener_state> state_;
};

}  // namespace tofud::http
