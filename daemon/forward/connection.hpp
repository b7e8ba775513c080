// Requests to a daemon, over TCP or a Unix socket.
#pragma once

#include "daemon/forward/exchange.hpp"
#include "daemon/forward/limits.hpp"
#include "daemon/forward/server_place.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tofud::forward {

/// How long is waited for what; limits, but for tests.
struct patience {
  std::chrono::milliseconds connect = limits::connect_wait;  // name, connection and handshake
  std::chrono::milliseconds answer = limits::answer_wait;    // from the request's first byte on
};

/// Keeps one connection open between requests, and opens another when it is gone. Answers are
/// bounded in time and size, whoever gives them.
class connection {
 public:
  connection(boost::asio::io_context& io, const server_place& server, patience waits = {});
  /// An answer that was waited for does not come any more.
  ~connection();
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  /// Nothing: it broke, which may have been before or after the daemon took the request. One at a
  /// time; `done` is called by the loop, never before this returns.
  void exchange(request asked, std::function<void(std::optional<response>)> done);

  /// Why TLS came to nothing the last time; "" if it did not.
  const std::string& distrust() const;

 private:
  class state;
  std::shared_ptr<state> state_;
};

}  // namespace tofud::forward
