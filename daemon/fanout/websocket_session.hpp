// One WebSocket connection: handshake, read loop, one writer, pings and the close. What is said on
// it is for those who derive: websocket_subscriber here, an echo in the tests.
#pragma once

#include "daemon/fanout/socket.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tofud::http {
struct upgrade_head;
}

namespace tofud::fanout {

struct websocket_limits {
  std::size_t message_bytes;                    // longer messages are closed with 1009
  std::size_t read_bytes;                       // the most `received` gets at once
  std::uint32_t control_frames_per_second = 0;  // over it `flooded` is called; 0: as many as come
};

enum class message_type : std::uint8_t { text, binary };

/// A piece of a message from the peer. `bytes` are valid during the call.
struct message_part {
  message_type type;
  std::string_view bytes;
  enum class position { within, last } where;
};

/// Beast's rules: fragments, UTF-8, masks, control frames and close codes are checked there.
/// Created by make_shared; lives until its connection ended and its writes completed.
class websocket_session : public std::enable_shared_from_this<websocket_session> {
 public:
  websocket_session(const websocket_session&) = delete;
  websocket_session& operator=(const websocket_session&) = delete;
  virtual ~websocket_session();

  /// Answers the handshake and serves the connection until it ends; returns at once. `read_ahead`:
  /// bytes that came after the head. `subprotocol` may be empty: none.
  void start(std::shared_ptr<const http::upgrade_head> head, std::string read_ahead,
             std::string subprotocol);

 protected:
  websocket_session(stream_socket socket, websocket_limits limits);

  /// Starts writing one message; `message_sent` follows. One at a time.
  void write_message(std::shared_ptr<const std::string> bytes, message_type type);
  /// Sends a close frame after a write in flight; what still arrives is discarded. Idempotent.
  void start_close(std::uint16_t code, std::string_view reason);
  void send_ping();
  void close_socket() noexcept;

  std::uint32_t reads() const;
  std::uint32_t writes() const;
  int unacknowledged_bytes();
  bool is_open() const;

 private:
  virtual void opened() = 0;
  virtual void received(message_part part) = 0;
  virtual void message_sent() = 0;
  /// More control frames came than the limits allow; called once.
  virtual void flooded() {}
  /// A message came that is longer than the limits allow; the peer has taken the close.
  virtual void message_too_long() {}
  /// The connection is over; no other call follows.
  virtual void ended() noexcept = 0;
  /// An exception ended this session.
  virtual void failed(std::string_view what) noexcept = 0;

  void count_frame();
  void write_close(const std::string& frame);

  struct wire;  // websocket_session.cpp: nothing else sees Beast
  std::unique_ptr<wire> wire_;
};

}  // namespace tofud::fanout
