// Echoes WebSocket messages through the daemon's own session class, for Autobahn|Testsuite and
// hand-made frames: `ws_echo [--port N] [--message-bytes N]`. Never installed.
#include "daemon/fanout/websocket_session.hpp"
#include "daemon/http/listener.hpp"
#include "daemon/http/router.hpp"
#include "protocol/text/sizes.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace tofud;

class echo_session final : public fanout::websocket_session {
 public:
  echo_session(fanout::stream_socket socket, std::size_t message_bytes)
      : websocket_session{std::move(socket), {message_bytes, 64 * 1024}} {}

 private:
  struct message {
    std::shared_ptr<const std::string> bytes;
    fanout::message_type type;
  };

  void opened() override {}

  void received(fanout::message_part part) override {
    incoming_.append(part.bytes);
    if (part.where == fanout::message_part::position::within) return;
    waiting_.push_back(
        {std::make_shared<const std::string>(std::exchange(incoming_, {})), part.type});
    if (waiting_.size() == 1) write_message(waiting_.front().bytes, waiting_.front().type);
  }

  void message_sent() override {
    waiting_.pop_front();
    if (!waiting_.empty()) write_message(waiting_.front().bytes, waiting_.front().type);
  }

  void ended() noexcept override {}
  void failed(std::string_view what) noexcept override { std::cerr << what << '\n'; }

  std::string incoming_;
  std::deque<message> waiting_;
};

}  // namespace

int main(int argc, char** argv) {
  http::listen_address where;
  where.port = 9001;
  where.more_ports = 0;
  std::size_t message_bytes = 32 * limits::mib;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option{argv[i]};
    const auto number = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--port") where.port = static_cast<std::uint16_t>(number);
    if (option == "--message-bytes") message_bytes = number;
  }
  boost::asio::io_context io{1};
  http::router routes;
  routes.get_stream("/", [&](http::handover& giving) -> std::optional<http::response> {
    if (!giving.asked.upgrade) return http::problem(400, "a WebSocket is wanted");
    std::make_shared<echo_session>(std::move(giving.socket), message_bytes)
        ->start(giving.asked.upgrade, std::move(giving.read_ahead), "");
    return std::nullopt;
  });
  http::listener listener{io, routes};
  const auto bound = listener.bind(where);
  if (!bound) {
    std::cerr << bound.error().message << '\n';
    return 1;
  }
  listener.start();
  std::cout << "listening on " << bound->port() << std::endl;
  io.run();
}
