#include "daemon/fanout/websocket_subscriber.hpp"

#include <utility>

namespace tofud::fanout {
namespace {

/// One byte is too much already; this fits the coroutine's frame.
constexpr std::size_t read_bytes = 64;

}  // namespace

websocket_subscriber::websocket_subscriber(stream_socket socket, admission admitted,
                                           std::size_t client_message_bytes,
                                           std::shared_ptr<void> ticket)
    : websocket_session{std::move(socket), {client_message_bytes, read_bytes}},
      subscriber{std::move(admitted), framing::lines},
      ticket_{std::move(ticket)} {}

void websocket_subscriber::received(message_part) {
  closing_by_itself();
  start_close(close_codes::listen_only, "subscribers only listen");
}

void websocket_subscriber::send(std::shared_ptr<const std::string> bytes) {
  write_message(std::move(bytes), message_type::text);
}

activity websocket_subscriber::seen(bool with_kernel) {
  return {reads(), writes(), with_kernel ? unacknowledged_bytes() : 0, is_open()};
}

}  // namespace tofud::fanout
