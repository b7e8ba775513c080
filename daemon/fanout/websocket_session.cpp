#include "daemon/fanout/websocket_session.hpp"

#include "daemon/http/message/upgrade_head.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

namespace tofud::fanout {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using beast::error_code;

using steady = std::chrono::steady_clock;
using timer = asio::basic_waitable_timer<steady, asio::wait_traits<steady>, executor>;

/// The socket as Beast sees it: first gives what was read beyond the HTTP head, and counts reads
/// and writes begun. The next one begins only after the last one moved something, so a counter that
/// stands still is a peer that does.
class counted_socket {
 public:
  using executor_type = executor;

  explicit counted_socket(stream_socket socket) : socket_{std::move(socket)} {}

  executor_type get_executor() noexcept { return socket_.get_executor(); }
  stream_socket& socket() { return socket_; }
  void read_first(std::string bytes) { ahead_ = std::move(bytes); }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const auto& into) {
          ++reads;
          if (ahead_.empty()) return socket_.async_read_some(into, std::move(handler));
          const auto taken = asio::buffer_copy(into, asio::buffer(ahead_));
          ahead_.erase(0, taken);
          if (ahead_.empty()) ahead_.shrink_to_fit();
          asio::post(get_executor(),
                     beast::bind_front_handler(std::move(handler), error_code{}, taken));
        },
        token, buffers);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    ++writes;
    return socket_.async_write_some(buffers, std::forward<Token>(token));
  }

  std::uint32_t reads = 0, writes = 0;

 private:
  stream_socket socket_;
  std::string ahead_;
};

[[maybe_unused]] void beast_close_socket(counted_socket& layer) {
  error_code ignored;
  layer.socket().close(ignored);
}

template <class Handler>
void async_teardown(beast::role_type role, counted_socket& layer, Handler&& handler) {
  // TLS says its goodbye; what still comes is read to the end and means nothing any more.
  auto& socket = layer.socket();
  if (socket.is_encrypted() && socket.is_open()) socket.tls()->end_of_writes();
  websocket::async_teardown(role, socket.next_layer(), std::forward<Handler>(handler));
}

}  // namespace

struct websocket_session::wire {
  wire(stream_socket socket, websocket_limits chosen) : stream{std::move(socket)}, limits{chosen} {
    // Bounded by whoever sweeps, so that there is no timer here.
    websocket::stream_base::timeout never{websocket::stream_base::none(),
                                          websocket::stream_base::none(), false};
    stream.set_option(never);
    stream.auto_fragment(false);
    stream.read_message_max(limits.message_bytes);
  }

  using head = std::shared_ptr<const http::upgrade_head>;
  static asio::awaitable<void, executor> serve(std::shared_ptr<websocket_session> self, head asked,
                                               std::string subprotocol);
  static asio::awaitable<bool, executor> accept(wire& on, head asked, std::string subprotocol);
  static asio::awaitable<void, executor> read(websocket_session& self, wire& on);
  static asio::awaitable<void, executor> close_completed(wire& on);

  websocket::stream<counted_socket, false> stream;
  websocket_limits limits;
  bool pinging = false;
  bool closing = false;
  bool closed = false;          // our close is complete
  timer* awaited = nullptr;     // cancelled then
  steady::time_point second{};  // began with the first of `frames`
  std::uint32_t frames = 0;
  bool flooded = false;
};

asio::awaitable<bool, executor> websocket_session::wire::accept(wire& on, head asked,
                                                                std::string subprotocol) {
  auto decorate = [&subprotocol](websocket::response_type& response) {
    response.set(beast::http::field::server, "tofud");
    response.set("X-Content-Type-Options", "nosniff");
    if (!subprotocol.empty()) {
      response.set(beast::http::field::sec_websocket_protocol, subprotocol);
    }
  };
  on.stream.set_option(websocket::stream_base::decorator(decorate));
  auto [ec] = co_await on.stream.async_accept(asked->parsed, as_result);
  auto nothing = [](websocket::response_type&) {};
  on.stream.set_option(websocket::stream_base::decorator(nothing));
  co_return !ec;
}

asio::awaitable<void, executor> websocket_session::wire::read(websocket_session& self, wire& on) {
  constexpr std::size_t small = 64;
  char tiny[small];
  std::vector<char> large;
  if (on.limits.read_bytes > small) large.resize(on.limits.read_bytes);
  const auto into = large.empty() ? asio::buffer(tiny) : asio::buffer(large);
  for (;;) {
    auto [ec, size] = co_await on.stream.async_read_some(into, as_result);
    if (ec == websocket::error::message_too_big) self.message_too_long();
    if (ec) co_return;
    if (on.closing) break;
    message_part part{};
    part.type = on.stream.got_text() ? message_type::text : message_type::binary;
    part.bytes = std::string_view{static_cast<const char*>(into.data()), size};
    part.where =
        on.stream.is_message_done() ? message_part::position::last : message_part::position::within;
    self.received(part);
    if (on.closing) break;
  }
  // The close reads on by itself. A read of ours beside it could meet a broken frame and wait for
  // the close for ever, which waits for that read.
  auto closing = close_completed(on);
  co_await std::move(closing);
}

asio::awaitable<void, executor> websocket_session::wire::close_completed(wire& on) {
  timer never{on.stream.get_executor(), timer::time_point::max()};
  on.awaited = &never;
  while (!on.closed) co_await never.async_wait(as_result);
  on.awaited = nullptr;
}

asio::awaitable<void, executor> websocket_session::wire::serve(
    std::shared_ptr<websocket_session> self, head asked, std::string subprotocol) {
  auto& on = *self->wire_;
  // Named and moved: its frame, with the head in it, is gone before the first read.
  auto accepting = accept(on, std::move(asked), std::move(subprotocol));
  const bool accepted = co_await std::move(accepting);
  if (!accepted) co_return;
  self->opened();
  auto reading = read(*self, on);
  co_await std::move(reading);
}

websocket_session::websocket_session(stream_socket socket, websocket_limits limits)
    : wire_{std::make_unique<wire>(std::move(socket), limits)} {}

websocket_session::~websocket_session() = default;

/// Called from within a read of Beast's, in which nothing may be begun.
void websocket_session::count_frame() {
  auto& on = *wire_;
  const auto now = steady::now();
  if (now - on.second >= std::chrono::seconds{1}) {
    on.second = now;
    on.frames = 0;
  }
  if (++on.frames <= on.limits.control_frames_per_second || on.flooded) return;
  on.flooded = true;
  asio::post(on.stream.get_executor(), [self = shared_from_this()] { self->flooded(); });
}

void websocket_session::start(std::shared_ptr<const http::upgrade_head> head,
                              std::string read_ahead, std::string subprotocol) {
  wire_->stream.next_layer().read_first(std::move(read_ahead));
  bound_kernel_buffers(wire_->stream.next_layer().socket());
  if (wire_->limits.control_frames_per_second > 0) {
    wire_->stream.control_callback(
        [this](websocket::frame_type, beast::string_view) { count_frame(); });
  }
  auto serving = wire::serve(shared_from_this(), std::move(head), std::move(subprotocol));
  asio::co_spawn(wire_->stream.get_executor(), std::move(serving),
                 [self = shared_from_this()](const std::exception_ptr& thrown) {
                   try {
                     if (thrown) std::rethrow_exception(thrown);
                   } catch (const std::exception& e) {
                     self->failed(e.what());
                   } catch (...) {
                     self->failed("unknown exception");
                   }
                   self->close_socket();
                   self->ended();
                 });
}

void websocket_session::write_message(std::shared_ptr<const std::string> bytes, message_type type) {
  wire_->stream.text(type == message_type::text);
  const auto buffer = asio::buffer(*bytes);
  wire_->stream.async_write(
      buffer, [self = shared_from_this(), bytes = std::move(bytes)](error_code ec, std::size_t) {
        if (ec) return;  // the read loop sees it too
        try {
          self->message_sent();
        } catch (const std::exception& e) {
          self->failed(e.what());
          self->close_socket();
        }
      });
}

void websocket_session::start_close(std::uint16_t code, std::string_view reason) {
  if (wire_->closing) return;
  wire_->closing = true;
  websocket::close_reason why;
  why.code = code;
  why.reason.assign(reason.data(), std::min(reason.size(), why.reason.max_size()));
  wire_->stream.async_close(why, [self = shared_from_this()](error_code) {
    self->wire_->closed = true;
    if (self->wire_->awaited) self->wire_->awaited->cancel();
  });
}

void websocket_session::send_ping() {
  if (wire_->pinging || wire_->closing || !wire_->stream.is_open()) return;
  wire_->pinging = true;
  wire_->stream.async_ping(
      {}, [self = shared_from_this()](error_code) { self->wire_->pinging = false; });
}

void websocket_session::close_socket() noexcept {
  error_code ignored;
  wire_->stream.next_layer().socket().close(ignored);
}

std::uint32_t websocket_session::reads() const { return wire_->stream.next_layer().reads; }
std::uint32_t websocket_session::writes() const { return wire_->stream.next_layer().writes; }
bool websocket_session::is_open() const { return wire_->stream.is_open(); }
int websocket_session::unacknowledged_bytes() {
  return unacknowledged(wire_->stream.next_layer().socket());
}

}  // namespace tofud::fanout
