// A subscriber over WebSocket: text frames of lines. It only listens; a data frame from the client
// is closed with 1003.
#pragma once

#include "daemon/fanout/subscriber.hpp"
#include "daemon/fanout/websocket_session.hpp"

namespace tofud::fanout {

class websocket_subscriber final : public websocket_session, public subscriber {
 public:
  websocket_subscriber(stream_socket socket, admission admitted, websocket_limits limits,
                       std::shared_ptr<void> ticket);

 private:
  void opened() override { begin(); }
  void received(message_part part) override;
  void flooded() override;
  void message_too_long() override;
  void message_sent() override { sent(); }
  void ended() noexcept override { leave(); }
  void failed(std::string_view what) noexcept override { log_failure(what); }

  void send(std::shared_ptr<const std::string> bytes) override;
  void close(close_code code, std::string_view reason) override { start_close(code, reason); }
  void drop() noexcept override { close_socket(); }
  bool ping() override {
    send_ping();
    return true;
  }
  activity seen(bool with_kernel) override;
  transport sent_by() const override { return transport::websocket; }

  std::shared_ptr<void> ticket_;
};

}  // namespace tofud::fanout
