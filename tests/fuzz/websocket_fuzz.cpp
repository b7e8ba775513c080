// Any bytes as what a subscriber sends after its WebSocket was opened. The connection goes on or
// ends with a close code, and nobody else notices.
#include "daemon/fanout/hub.hpp"
#include "daemon/fanout/serve.hpp"
#include "daemon/http/message/head_reader.hpp"
#include "daemon/net/socket.hpp"
#include "tests/fanout/fake_run.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace tofud;

constexpr std::string_view upgrade =
    "GET /v1/stream?run=R HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

void need(bool holds) {
  if (!holds) std::abort();
}

void drain(int fd) {
  std::array<char, 65536> room;
  while (::recv(fd, room.data(), room.size(), MSG_DONTWAIT) > 0) {
  }
}

}  // namespace

// The first byte says in pieces of what size the others come.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::array<int, 2> ends{};
  need(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) == 0);
  boost::asio::io_context io{1};
  fanout::fake_run run;
  run.add("a");
  fanout::hub hub{io, fanout::hub_options{}};
  hub.offer("R", run.log);
  http::head_reader reader{8192};
  need(reader.feed(upgrade) == http::head_reader::state::complete);
  const http::request asked = reader.take();
  net::stream_socket socket{
      boost::asio::basic_stream_socket<boost::asio::local::stream_protocol, net::executor>{
          io.get_executor(), boost::asio::local::stream_protocol{}, ends[0]}};
  std::string ahead;
  http::handover giving{socket, asked, ahead, std::make_shared<char>()};
  need(!fanout::serve(hub, giving, {}));
  io.poll();
  const std::size_t piece = 1 + data[0] * 16U;
  for (std::size_t at = 1; at < size; at += piece) {
    if (::send(ends[1], data + at, std::min(piece, size - at), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
      break;
    io.restart();
    io.poll();
    drain(ends[1]);
    run.change(0, "again");
    run.log.publish();
    io.restart();
    io.poll();
  }
  ::close(ends[1]);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{5};
  while (hub.subscribers() > 0 && std::chrono::steady_clock::now() < until) {
    io.restart();
    io.run_for(std::chrono::milliseconds{1});
  }
  need(hub.subscribers() == 0);
  return 0;
}
