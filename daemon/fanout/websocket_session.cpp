#include "daemon/fanout/websocket_session.hpp"

#include "daemon/fanout/counted_socket.hpp"
#include "daemon/http/message/upgrade_head.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <algorithm>
#include <array>
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

/// Of a server, so without a mask: RFC 6455, 5.5.1. What is too long of `reason` is left out.
std::string close_frame(std::uint16_t code, std::string_view reason) {
  constexpr std::size_t most_of_reason = 123;
  reason = reason.substr(0, most_of_reason);
  std::string frame{"\x88"};
  frame.push_back(static_cast<char>(sizeof code + reason.size()));
  frame.push_back(static_cast<char>(code >> 8));
  frame.push_back(static_cast<char>(code & 0xff));
  return frame.append(reason);
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
  static asio::awaitable<void, executor> end_of_peer(wire& on);

  websocket::stream<counted_socket, false> stream;
  websocket_limits limits;
  bool pinging = false;
  bool closing = false;
  bool closed = false;          // our close is written, or cannot be
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
    if (ec || on.closing) break;
    message_part part{};
    part.type = on.stream.got_text() ? message_type::text : message_type::binary;
    part.bytes = std::string_view{static_cast<const char*>(into.data()), size};
    part.where =
        on.stream.is_message_done() ? message_part::position::last : message_part::position::within;
    self.received(part);
    if (on.closing) break;
  }
  if (!on.closing) co_return;
  auto closing = close_completed(on);
  co_await std::move(closing);
  auto ending = end_of_peer(on);
  co_await std::move(ending);
}

/// After our close: the peer's close and whatever it had sent before mean nothing any more. Reading
/// them keeps the kernel from resetting the connection before our close is read.
asio::awaitable<void, executor> websocket_session::wire::end_of_peer(wire& on) {
  auto& socket = on.stream.next_layer().socket();
  error_code ignored;
  socket.shutdown(stream_socket::shutdown_send, ignored);
  std::array<char, 512> scrap;
  const auto into = asio::buffer(scrap);
  for (;;) {
    auto reading = socket.next_layer().async_read_some(into, as_result);
    auto [ec, size] = co_await std::move(reading);
    if (ec) co_return;
  }
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
  wire_->stream.next_layer().take(
      weak_from_this(), [this, frame = close_frame(code, reason)] { write_close(frame); });
}

void websocket_session::write_close(const std::string& frame) {
  auto& on = *wire_;
  auto kept = std::make_shared<const std::string>(frame);
  const auto buffer = asio::buffer(*kept);
  auto written = [self = shared_from_this(), kept = std::move(kept)](error_code, std::size_t) {
    self->wire_->closed = true;
    if (self->wire_->awaited) self->wire_->awaited->cancel();
  };
  if (!on.stream.is_open()) return written({}, 0);  // the peer closed before
  asio::async_write(on.stream.next_layer().socket(), buffer, std::move(written));
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
