#include "daemon/fanout/websocket_subscriber.hpp"

#include <utility>

namespace tofud::fanout {
namespace {

/// One byte is too much already; this fits the coroutine's frame.
constexpr std::size_t read_bytes = 64;

websocket_limits with_small_reads(websocket_limits chosen) {
  chosen.read_bytes = read_bytes;
  return chosen;
}

}  // namespace

websocket_subscriber::websocket_subscriber(stream_socket socket, admission admitted,
                                           websocket_limits limits, std::shared_ptr<void> ticket)
    : websocket_session{std::move(socket), with_small_reads(limits)},
      subscriber{std::move(admitted), framing::lines},
      ticket_{std::move(ticket)} {}

void websocket_subscriber::received(message_part) {
  closing_by_itself(close_codes::listen_only);
  start_close(close_codes::listen_only, "subscribers must not send data");
}

void websocket_subscriber::flooded() {
  floods();
  closing_by_itself(close_codes::too_many_frames);
  start_close(close_codes::too_many_frames, "too many frames per second");
}

void websocket_subscriber::message_too_long() {
  sends_too_much();
  closing_by_itself(close_codes::too_large);
}

void websocket_subscriber::send(std::shared_ptr<const std::string> bytes) {
  write_message(std::move(bytes), message_type::text);
}

activity websocket_subscriber::seen(bool with_kernel) {
  return {reads(), writes(), with_kernel ? unacknowledged_bytes() : 0, is_open()};
}

}  // namespace tofud::fanout
