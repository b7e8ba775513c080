// The socket below a WebSocket of Beast's.
#pragma once

#include "daemon/net/socket.hpp"

#include <boost/asio/associator.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace tofud::fanout {

/// The handler of a read or write of Beast's, and the socket that hears of it first.
template <class Layer, class Handler>
struct observed {
  Layer* layer;
  Handler handler;
  bool is_write;

  void operator()(boost::system::error_code ec, std::size_t size) {
    if (is_write) return layer->wrote(std::move(handler), ec, size);
    layer->received(std::move(handler), ec, size);
  }
};

}  // namespace tofud::fanout

/// An observed handler has the executor and the allocator of the handler.
template <template <class, class> class Associator, class Layer, class Handler, class Default>
struct boost::asio::associator<Associator, tofud::fanout::observed<Layer, Handler>, Default> {
  using observed = tofud::fanout::observed<Layer, Handler>;
  using type = typename Associator<Handler, Default>::type;
  static type get(const observed& of) noexcept {
    return Associator<Handler, Default>::get(of.handler);
  }
  static type get(const observed& of, const Default& otherwise) noexcept {
    return Associator<Handler, Default>::get(of.handler, otherwise);
  }
};

namespace tofud::fanout {

/// The socket as Beast sees it: first gives what was read beyond the HTTP head, and counts reads
/// and writes begun. The next one begins only after the last one moved something, so a counter that
/// stands still is a peer that does.
///
/// For a close of ours it is taken away from Beast. Beast's own close (Boost 1.81) waits for a read
/// under way, and a read that meets a broken frame waits for the close: neither would ever end.
class counted_socket {
 public:
  using executor_type = net::executor;
  using error_code = boost::system::error_code;

  explicit counted_socket(net::stream_socket socket) : socket_{std::move(socket)} {}

  executor_type get_executor() noexcept { return socket_.get_executor(); }
  net::stream_socket& socket() { return socket_; }
  void read_first(std::string bytes) { ahead_ = std::move(bytes); }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const auto& into) {
          ++reads;
          if (taken_) return give(std::move(handler), boost::asio::error::eof, 0);
          if (ahead_.empty())
            return socket_.async_read_some(into, observe(std::move(handler), false));
          const auto size = boost::asio::buffer_copy(into, boost::asio::buffer(ahead_));
          ahead_.erase(0, size);
          if (ahead_.empty()) ahead_.shrink_to_fit();
          give(std::move(handler), {}, size);
        },
        token, buffers);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const auto& from) {
          ++writes;
          if (taken_) return give(std::move(handler), boost::asio::error::operation_aborted, 0);
          writing_ = true;
          socket_.async_write_some(from, observe(std::move(handler), true));
        },
        token, buffers);
  }

  /// From when Beast's frame in flight is written, Beast can write nothing more, reads the end of
  /// the stream whatever comes, and `then` was called; not if `owner`, which this is a part of,
  /// ends before.
  void take(std::weak_ptr<void> owner, std::function<void()> then) {
    owner_ = std::move(owner);
    then_ = std::move(then);
    if (!writing_) taken();
  }

  template <class Handler>
  void wrote(Handler handler, error_code ec, std::size_t size) {
    writing_ = false;
    const auto owner = owner_.lock();  // nobody before a close: then the handler may end this
    std::move(handler)(ec, size);      // begins the next write if its frame is not complete
    if (owner && then_ && !writing_) taken();
  }

  template <class Handler>
  void received(Handler handler, error_code ec, std::size_t size) {
    if (taken_) return std::move(handler)(boost::asio::error::eof, 0);
    std::move(handler)(ec, size);
  }

  std::uint32_t reads = 0, writes = 0;

 private:
  template <class Handler>
  observed<counted_socket, Handler> observe(Handler handler, bool is_write) {
    return {this, std::move(handler), is_write};
  }

  template <class Handler>
  void give(Handler handler, error_code ec, std::size_t size) {
    boost::asio::post(get_executor(),
                      boost::beast::bind_front_handler(std::move(handler), ec, size));
  }

  void taken() {
    taken_ = true;
    std::exchange(then_, {})();
  }

  net::stream_socket socket_;
  std::string ahead_;
  bool writing_ = false, taken_ = false;
  std::function<void()> then_;  // set: a close waits for the write in flight
  std::weak_ptr<void> owner_;
};

[[maybe_unused]] inline void beast_close_socket(counted_socket& layer) {
  boost::system::error_code ignored;
  layer.socket().close(ignored);
}

template <class Handler>
void async_teardown(boost::beast::role_type role, counted_socket& layer, Handler&& handler) {
  // TLS says its goodbye; what still comes is read to the end and means nothing any more.
  auto& socket = layer.socket();
  if (socket.is_encrypted() && socket.is_open()) socket.tls()->end_of_writes();
  boost::beast::websocket::async_teardown(role, socket.next_layer(),
                                          std::forward<Handler>(handler));
}

}  // namespace tofud::fanout
