// The socket of every connection, TCP or Unix, plain or TLS: the concrete executor of the one loop,
// no type erasure.
#pragma once

#include "daemon/net/tls_session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace tofud::net {

using executor = boost::asio::io_context::executor_type;
/// `co_await socket.async_…(…, as_result)` gives the error beside the value instead of throwing.
inline constexpr boost::asio::as_tuple_t<boost::asio::use_awaitable_t<executor>> as_result{};

/// What asio's basic_stream_socket is to those who read and write, and TLS once it is told so. It
/// does not block. Operations want it to live, and to stand still, until they are complete.
class stream_socket {
  using error_code = boost::system::error_code;

 public:
  using plain_socket =
      boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, executor>;
  using executor_type = executor;
  using wait_type = plain_socket::wait_type;
  using shutdown_type = plain_socket::shutdown_type;
  static constexpr wait_type wait_read = plain_socket::wait_read;
  static constexpr wait_type wait_write = plain_socket::wait_write;
  static constexpr shutdown_type shutdown_send = plain_socket::shutdown_send;
  static constexpr shutdown_type shutdown_both = plain_socket::shutdown_both;

  explicit stream_socket(plain_socket plain) : plain_{std::move(plain)} {}
  template <class Protocol>
  explicit stream_socket(boost::asio::basic_stream_socket<Protocol, executor> plain)
      : plain_{std::move(plain)} {}

  /// From here on everything is TLS, beginning with the handshake. `made` is OpenSSL's SSL, of a
  /// context's `make`.
  void encrypt(ssl_st* made) { tls_ = std::make_unique<tls_session>(made, plain_.native_handle()); }
  /// Nothing was said yet, and it is to be plain after all.
  void decrypt() { tls_.reset(); }
  bool is_encrypted() const { return tls_ != nullptr; }
  /// Nothing, `would_block` or a failure. `async_wait` of either kind waits for what it needs.
  error_code handshake() { return plain_.is_open() ? tls_->handshake() : closed(); }
  tls_session* tls() { return tls_.get(); }

  /// Below TLS, for options of the descriptor and for its end.
  plain_socket& next_layer() { return plain_; }
  executor_type get_executor() noexcept { return plain_.get_executor(); }
  int native_handle() { return plain_.native_handle(); }
  bool is_open() const { return plain_.is_open(); }
  void non_blocking(bool wanted, error_code& ec) { plain_.non_blocking(wanted, ec); }
  void cancel(error_code& ec) { plain_.cancel(ec); }
  void close(error_code& ec) { plain_.close(ec); }
  /// Says goodbye in TLS as well, unless the socket is full.
  void shutdown(shutdown_type what, error_code& ec) {
    if (tls_ && plain_.is_open()) tls_->end_of_writes();
    plain_.shutdown(what, ec);
  }

  template <class Buffers>
  std::size_t read_some(const Buffers& into, error_code& ec) {
    if (!tls_) [[likely]]
      return plain_.read_some(into, ec);
    if (!plain_.is_open()) return ec = closed(), 0;
    return tls_->read(first_of(into), ec);
  }

  /// After `would_block` the next write has to begin with the same bytes.
  template <class Buffers>
  std::size_t write_some(const Buffers& from, error_code& ec) {
    if (!tls_) [[likely]]
      return plain_.write_some(from, ec);
    if (!plain_.is_open()) return ec = closed(), 0;
    std::array<boost::asio::const_buffer, most_buffers> pieces;
    std::size_t count = 0;
    const auto end = boost::asio::buffer_sequence_end(from);
    for (auto each = boost::asio::buffer_sequence_begin(from); each != end && count < most_buffers;
         ++each) {
      pieces[count++] = *each;
    }
    return tls_->write(pieces.data(), count, ec);
  }

  /// One byte that stays where it is: whether there is one, or the peer is gone.
  std::size_t peek(char& next, error_code& ec) {
    const auto into = boost::asio::buffer(&next, 1);
    if (!tls_) return plain_.receive(into, plain_socket::message_peek, ec);
    if (!plain_.is_open()) return ec = closed(), 0;
    return tls_->peek(into, ec);
  }

  /// Until a read, or a write, is worth trying again.
  template <class Token>
  auto async_wait(wait_type kind, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code)>(
        [this](auto handler, wait_type wished) {
          if (tls_ && wished == wait_read && tls_->has_pending()) {
            boost::asio::post(plain_.get_executor(), [handler = std::move(handler)]() mutable {
              std::move(handler)(error_code{});
            });
            return;
          }
          plain_.async_wait(tls_ ? needed(wished) : wished, std::move(handler));
        },
        token, kind);
  }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& into, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const Buffers& buffers) {
          if (!tls_) [[likely]]
            return plain_.async_read_some(buffers, std::move(handler));
          start(operation<Buffers, wait_read>{this, buffers}, std::move(handler));
        },
        token, into);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& from, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const Buffers& buffers) {
          if (!tls_) [[likely]]
            return plain_.async_write_some(buffers, std::move(handler));
          start(operation<Buffers, wait_write>{this, buffers}, std::move(handler));
        },
        token, from);
  }

 private:
  /// Of those written together; the rest is for the next call.
  static constexpr std::size_t most_buffers = 16;

  static error_code closed() { return boost::asio::error::bad_descriptor; }

  template <class Buffers>
  static boost::asio::mutable_buffer first_of(const Buffers& all) {
    const auto end = boost::asio::buffer_sequence_end(all);
    for (auto each = boost::asio::buffer_sequence_begin(all); each != end; ++each) {
      const boost::asio::mutable_buffer one{*each};
      if (one.size() > 0) return one;
    }
    return {};
  }

  wait_type needed(wait_type wished) const {
    if (wished != wait_read && wished != wait_write) return wished;
    const auto before = wished == wait_read ? tls_->before_read() : tls_->before_write();
    return before == readiness::read ? wait_read : wait_write;
  }

  /// Tries, waits and tries again. Never complete before the call that begins it returns.
  template <class Buffers, wait_type Kind>
  struct operation {
    stream_socket* on;
    Buffers buffers;
    error_code result{};
    std::size_t size = 0;
    enum class step : std::uint8_t { first, again, done } now = step::first;

    template <class Self>
    void operator()(Self& self, error_code waited = {}) {
      if (now == step::done) return self.complete(result, size);
      if (waited) return self.complete(waited, 0);
      if constexpr (Kind == wait_read) {
        size = on->read_some(buffers, result);
      } else {
        size = on->write_some(buffers, result);
      }
      if (result == boost::asio::error::would_block) {
        now = step::again;
        on->plain_.async_wait(on->needed(Kind), std::move(self));
      } else if (now == step::again) {
        self.complete(result, size);
      } else {
        now = step::done;
        boost::asio::post(on->get_executor(), std::move(self));
      }
    }
  };

  template <class Operation, class Handler>
  void start(Operation trying, Handler handler) {
    boost::asio::async_compose<Handler, void(error_code, std::size_t)>(std::move(trying), handler,
                                                                       plain_);
  }

  plain_socket plain_;
  std::unique_ptr<tls_session> tls_;
};

}  // namespace tofud::net
