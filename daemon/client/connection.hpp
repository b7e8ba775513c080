// A socket to a daemon that never waits longer than it is told to.
#pragma once

#include "daemon/client/limits.hpp"
#include "daemon/client/place.hpp"
#include "daemon/net/socket.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace tofud::client {

class connection {
 public:
  /// Waits at most limits::remote_wait, and as long again for TLS.
  static boost::system::result<connection, failure> open(const place& to);

  /// All of it, or a failure.
  boost::system::result<void, failure> send(std::string_view text);

  struct piece {
    std::size_t size = 0;  // 0 and not `over`: nothing for now
    bool over = false;     // the other side has closed; nothing comes any more
  };
  /// What is there at once.
  boost::system::result<piece, failure> read(std::span<char> room);
  /// Until there is something to read. False: nothing came in that time.
  bool wait(std::chrono::milliseconds most) const;

 private:
  using socket = net::stream_socket;
  connection(std::unique_ptr<boost::asio::io_context> io, std::unique_ptr<socket> opened,
             std::string shown);

  std::unique_ptr<boost::asio::io_context> io_;
  std::unique_ptr<socket> socket_;
  std::string shown_;
};

}  // namespace tofud::client
