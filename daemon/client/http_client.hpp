// Requests to a daemon, over TCP, TLS or a Unix socket.
#pragma once

#include "daemon/client/limits.hpp"
#include "daemon/client/message.hpp"
#include "daemon/client/place.hpp"
#include "daemon/net/task.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace tofud::client {

/// How long is waited for what, and how much is taken.
struct patience {
  std::chrono::milliseconds connect = limits::remote_wait;  // name, connection and handshake
  std::chrono::milliseconds answer = limits::remote_wait;   // 0: for ever
  enum class counts : std::uint8_t {
    whole,       // from the request's first byte to the answer's last: who trickles gets no more
    each_piece,  // between two pieces of it
  } answer_is = counts::each_piece;
  std::size_t answer_bytes = limits::remote_answer_bytes;
};

using answered = boost::system::result<response, failure>;

/// Keeps one connection open between requests, and opens another when it is gone. Asks nobody whom
/// it can't trust (net::distrust_of_listener). One request at a time; redirects are answers.
class http_client {
 public:
  http_client(boost::asio::io_context& io, const place& server, patience waits = {});
  /// What is awaited ends as a failure soon.
  ~http_client();
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  /// A failure may have been before or after the daemon took the request.
  net::task<answered> exchange(request asked);
  /// The same for a machine that is fed with values: `done` is called by the loop, never before
  /// this returns, and not after the client is gone.
  void exchange(request asked, std::function<void(answered)> done);

  /// Asks for an answer whose body is read as it comes. Gives its status.
  net::task<boost::system::result<unsigned, failure>> begin(request asked);
  /// The next bytes of it; 0: that was all.
  net::task<boost::system::result<std::size_t, failure>> read(std::span<char> room);

  /// Why the other end was not trusted the last time; "" if it was, or nobody was there.
  const std::string& distrust() const;

 private:
  class state;
  std::shared_ptr<state> state_;
};

}  // namespace tofud::client
