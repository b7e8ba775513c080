// A subscriber over a plain HTTP response: Server-Sent Events, or lines of JSON.
#pragma once

#include "daemon/fanout/socket.hpp"
#include "daemon/fanout/subscriber.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tofud::fanout {

/// The response's end: chunks, or the end of the connection for HTTP/1.0.
enum class body_end : std::uint8_t { chunk, connection };

/// Created by make_shared; lives until its connection ended and its writes completed. Bytes from
/// the client (there should be none) are discarded, at most `client_message_bytes`; its end ends
/// the session.
class stream_session final : public subscriber,
                             public std::enable_shared_from_this<stream_session> {
 public:
  /// `head_lines`: more of the answer's head, each with its CR LF. `ticket` counts the connection
  /// while it lives.
  stream_session(stream_socket socket, admission admitted, framing frames, body_end end,
                 std::string_view head_lines, std::size_t client_message_bytes,
                 std::shared_ptr<void> ticket);
  ~stream_session() override;

  void start();

 private:
  struct wire;

  void send(std::shared_ptr<const std::string> bytes) override;
  void close(close_code code, std::string_view reason) override;
  void drop() noexcept override;
  // There is nothing a client could answer; a dead one is found by heartbeats nobody acknowledges.
  bool ping() override { return false; }
  activity seen(bool with_kernel) override;
  void finish();
  void written();

  std::unique_ptr<wire> wire_;
  std::shared_ptr<void> ticket_;
};

}  // namespace tofud::fanout
