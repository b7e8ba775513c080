// Any bytes as what a server answers, plain or as the other side of a TLS handshake. Whoever asked
// gets an answer within its limits or a failure, once.
#include "daemon/client/http_client.hpp"
#include "daemon/client/place.hpp"
#include "daemon/net/tls_client.hpp"
#include "tests/journal/scratch_root.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace {

using namespace tofud;
namespace asio = boost::asio;

constexpr std::size_t most_bytes = 4096;

void need(bool holds) {
  if (!holds) std::abort();
}

/// Answers each connection with the same bytes, whatever it is asked.
template <typename Protocol>
void answer(asio::basic_socket_acceptor<Protocol>& on, const std::string& bytes) {
  on.async_accept([&on, &bytes](boost::system::error_code failed, auto peer) {
    if (failed) return;
    auto kept = std::make_shared<decltype(peer)>(std::move(peer));
    auto room = std::make_shared<std::array<char, 4096>>();
    kept->async_read_some(asio::buffer(*room), [kept, room, &bytes](auto, std::size_t) {
      asio::async_write(*kept, asio::buffer(bytes), [kept](auto, std::size_t) {
        boost::system::error_code ignored;
        kept->shutdown(asio::socket_base::shutdown_send, ignored);
      });
    });
    answer(on, bytes);
  });
}

void ask(asio::io_context& io, const client::place& server) {
  client::patience waits;
  waits.connect = waits.answer = std::chrono::milliseconds{200};
  waits.answer_bytes = most_bytes;
  unsigned answers = 0;
  {
    client::http_client asker{io, server, waits};
    client::request wanted;
    wanted.method = "GET";
    wanted.target = "/v1/runs";
    asker.exchange(wanted, [&](client::answered given) {
      ++answers;
      if (given) need(given->body.size() <= most_bytes);
      io.stop();
    });
    io.run_for(std::chrono::seconds{5});
  }
  need(answers == 1);
  io.restart();
  io.poll();
}

}  // namespace

// An odd first byte: by TLS.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  asio::io_context io{1};
  client::place server;
  if (data[0] % 2 == 0) {
    static const journal::scratch_root root;
    const std::string path = root / "s";
    ::unlink(path.c_str());
    asio::basic_socket_acceptor<asio::local::stream_protocol> on{
        io, asio::local::stream_protocol::endpoint{path}};
    answer(on, bytes);
    server.socket = path;
    ask(io, server);
    return 0;
  }
  asio::basic_socket_acceptor<asio::ip::tcp> on{
      io, asio::ip::tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
  answer(on, bytes);
  server.host = "127.0.0.1";
  server.port = on.local_endpoint().port();
  static const auto tls = net::tls_client::open("");
  need(tls.has_value());
  server.tls = *tls;
  ask(io, server);
  return 0;
}
