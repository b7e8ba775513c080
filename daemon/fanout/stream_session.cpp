#include "daemon/fanout/stream_session.hpp"

#include "protocol/feed/limits.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <utility>

namespace tofud::fanout {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

std::string response_head(framing frames, body_end end, std::string_view lines) {
  std::string head = end == body_end::chunk ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.0 200 OK\r\n";
  head += frames == framing::sse ? "Content-Type: text/event-stream\r\n"
                                 : "Content-Type: application/x-ndjson\r\n";
  head += end == body_end::chunk ? "Transfer-Encoding: chunked\r\n" : "";
  head +=
      "Connection: close\r\n"
      "Cache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "X-Accel-Buffering: no\r\n";
  return head.append(lines) + "\r\n";
}

}  // namespace

struct stream_session::wire {
  static asio::awaitable<void, executor> read(std::shared_ptr<stream_session> self);

  stream_socket socket;
  framing frames;
  body_end end;
  std::size_t client_bytes;   // it may send so many
  std::string head;           // until it is sent
  std::array<char, 20> size;  // of the chunk in flight, in hex, with its line end
  std::uint32_t reads = 0, writes = 0;
  bool writing = false;
  bool finishing = false;
  bool cut_off = false;    // the body is not to look whole
  std::string last_bytes;  // before the end of the body
};

// Ends when the client does.
asio::awaitable<void, executor> stream_session::wire::read(std::shared_ptr<stream_session> self) {
  auto& on = *self->wire_;
  std::size_t surplus = 0;
  for (;;) {
    auto [waited] = co_await on.socket.async_wait(stream_socket::wait_read, as_result);
    if (waited) co_return;
    ++on.reads;
    std::array<char, 512> ignored;
    error_code ec;
    surplus += on.socket.read_some(asio::buffer(ignored), ec);
    if (ec && ec != asio::error::would_block) co_return;
    if (surplus > on.client_bytes) {
      self->sends_too_much();
      co_return;
    }
  }
}

stream_session::stream_session(stream_socket socket, admission admitted, framing frames,
                               body_end end, std::string_view head_lines,
                               std::size_t client_message_bytes, std::shared_ptr<void> ticket)
    : subscriber{std::move(admitted), frames},
      wire_{new wire{std::move(socket),
                     frames,
                     end,
                     client_message_bytes,
                     response_head(frames, end, head_lines),
                     {},
                     0,
                     0,
                     false,
                     false,
                     false,
                     {}}},
      ticket_{std::move(ticket)} {}

stream_session::~stream_session() = default;

void stream_session::start() {
  bound_kernel_buffers(wire_->socket);
  error_code ignored;
  wire_->socket.non_blocking(true, ignored);
  auto reading = wire::read(shared_from_this());
  asio::co_spawn(wire_->socket.get_executor(), std::move(reading),
                 [self = shared_from_this()](const std::exception_ptr& thrown) {
                   try {
                     if (thrown) std::rethrow_exception(thrown);
                   } catch (const std::exception& e) {
                     self->log_failure(e.what());
                   } catch (...) {
                     self->log_failure("unknown exception");
                   }
                   self->drop();
                   self->leave();
                 });
  begin();
}

void stream_session::send(std::shared_ptr<const std::string> bytes) {
  auto& on = *wire_;
  on.writing = true;
  std::array<asio::const_buffer, 4> pieces;
  std::size_t count = 0;
  if (!on.head.empty()) pieces[count++] = asio::buffer(on.head);
  if (on.end == body_end::chunk) {
    char* end = std::to_chars(on.size.data(), on.size.data() + 16, bytes->size(), 16).ptr;
    *end++ = '\r';
    *end++ = '\n';
    pieces[count++] = asio::buffer(on.size.data(), static_cast<std::size_t>(end - on.size.data()));
  }
  pieces[count++] = asio::buffer(*bytes);
  if (on.end == body_end::chunk) pieces[count++] = asio::buffer("\r\n", 2);
  asio::async_write(
      on.socket, pieces,
      [wire = &on](error_code ec, std::size_t) -> std::size_t {
        ++wire->writes;
        return ec ? 0 : limits::frame_bytes;
      },
      [self = shared_from_this(), bytes = std::move(bytes)](error_code ec, std::size_t) {
        if (!ec) self->written();
      });
}

void stream_session::written() {
  wire_->writing = false;
  if (!wire_->head.empty()) wire_->head = {};
  if (wire_->finishing) return finish();
  sent();
}

void stream_session::close(close_code code, std::string_view reason) {
  constexpr std::string_view retry{"retry_ms="};
  if (code == close_codes::restarting && wire_->frames == framing::sse &&
      reason.starts_with(retry)) {
    const std::string field = "retry: " + std::string{reason.substr(retry.size())} + "\n\n";
    char size[16];
    if (wire_->end == body_end::chunk) {
      wire_->last_bytes.assign(size, std::to_chars(size, size + sizeof size, field.size(), 16).ptr);
      wire_->last_bytes += "\r\n" + field + "\r\n";
    } else {
      wire_->last_bytes = field;
    }
  }
  wire_->finishing = true;
  wire_->cut_off = code == close_codes::stalled;
  if (!wire_->writing) finish();
}

void stream_session::finish() {
  auto last = std::make_shared<std::string>(std::move(wire_->head) + wire_->last_bytes);
  wire_->head = {};
  if (wire_->end == body_end::chunk && !wire_->cut_off) *last += "0\r\n\r\n";
  const auto buffer = asio::buffer(*last);
  asio::async_write(wire_->socket, buffer,
                    [self = shared_from_this(), last](error_code ec, std::size_t) {
                      // The client reads to the end and closes; the sweep sees that it does.
                      error_code ignored;
                      if (!ec) self->wire_->socket.shutdown(stream_socket::shutdown_send, ignored);
                    });
}

void stream_session::drop() noexcept {
  error_code ignored;
  wire_->socket.close(ignored);
}

activity stream_session::seen(bool with_kernel) {
  return {wire_->reads, wire_->writes, with_kernel ? unacknowledged(wire_->socket) : 0};
}

}  // namespace tofud::fanout
