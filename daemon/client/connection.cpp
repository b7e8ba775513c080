#include "daemon/client/connection.hpp"

#include "daemon/client/limits.hpp"
#include "daemon/net/listener_owner.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <cstring>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace tofud::client {
namespace {

namespace asio = boost::asio;
using generic = asio::generic::stream_protocol;

failure broken(const std::string& shown, const boost::system::error_code& why) {
  return {trouble::silent, "the connection to " + shown + " broke: " + why.message()};
}

bool ready(int fd, short events, std::chrono::milliseconds most) {
  pollfd asked{fd, events, 0};
  return ::poll(&asked, 1, static_cast<int>(most.count())) > 0;
}

/// Connects within limits::remote_wait.
boost::system::error_code connect(net::stream_socket::plain_socket& socket,
                                  const generic::endpoint& to) {
  boost::system::error_code failed;
  socket.close(failed);
  socket.open(to.protocol(), failed);
  if (failed) return failed;
  socket.non_blocking(true, failed);
  if (failed) return failed;
  socket.connect(to, failed);
  if (failed != asio::error::in_progress && failed != asio::error::would_block) return failed;
  if (!ready(socket.native_handle(), POLLOUT, limits::remote_wait)) return asio::error::timed_out;
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_ERROR, &error, &size);
  return {error, boost::system::system_category()};
}

/// See net::distrust_of_listener.
std::string distrust(const net::stream_socket::plain_socket& to) {
  boost::system::error_code failed;
  const auto other = to.remote_endpoint(failed);
  asio::ip::tcp::endpoint at;
  if (failed || other.size() > at.capacity()) return "";
  std::memcpy(at.data(), other.data(), other.size());
  at.resize(other.size());
  return net::distrust_of_listener(at);
}

/// Waits for what TLS waits for.
bool ready(net::stream_socket& socket, net::readiness what) {
  return ready(socket.native_handle(), what == net::readiness::read ? POLLIN : POLLOUT,
               limits::remote_wait);
}

/// A sentence, or "" when the other end is who it should be.
std::string shake_hands(net::stream_socket& socket, const place& to) {
  socket.encrypt(to.tls->make(to.host));
  for (;;) {
    const auto failed = socket.handshake();
    if (!failed) return "";
    if (failed != asio::error::would_block) {
      return "there is no TLS with " + to.shown + ": " + socket.tls()->why();
    }
    if (!ready(socket, socket.tls()->before_read())) {
      return "there is no TLS with " + to.shown + ": nothing came in time";
    }
  }
}

std::vector<generic::endpoint> endpoints_of(const place& to, asio::io_context& io,
                                            boost::system::error_code& failed) {
  if (!to.socket.empty()) return {asio::local::stream_protocol::endpoint{to.socket}};
  asio::ip::tcp::resolver resolver{io};
  std::vector<generic::endpoint> found;
  for (const auto& each : resolver.resolve(to.host, std::to_string(to.port), failed)) {
    found.emplace_back(each.endpoint());
  }
  return found;
}

}  // namespace

connection::connection(std::unique_ptr<asio::io_context> io, std::unique_ptr<socket> opened,
                       std::string shown)
    : io_{std::move(io)}, socket_{std::move(opened)}, shown_{std::move(shown)} {}

boost::system::result<connection, failure> connection::open(const place& to) {
  auto io = std::make_unique<asio::io_context>(1);
  net::stream_socket::plain_socket plain{io->get_executor()};
  boost::system::error_code failed = asio::error::host_not_found;
  for (const generic::endpoint& each : endpoints_of(to, *io, failed)) {
    failed = connect(plain, each);
    if (failed) continue;
    if (to.socket.empty() && !to.tls) {
      if (auto refused = distrust(plain); !refused.empty())
        return failure{trouble::stranger, "nothing is asked at " + to.shown + ": " + refused};
    }
    auto opened = std::make_unique<socket>(std::move(plain));
    if (to.tls) {
      auto refused = shake_hands(*opened, to);
      if (!refused.empty()) return failure{trouble::stranger, std::move(refused)};
    }
    return connection{std::move(io), std::move(opened), to.shown};
  }
  return failure{trouble::absent, "no tofud answers at " + to.shown + " (" + failed.message() +
                                      "); `tofud serve` starts one"};
}

boost::system::result<void, failure> connection::send(std::string_view text) {
  while (!text.empty()) {
    boost::system::error_code failed;
    const std::size_t sent = socket_->write_some(asio::buffer(text), failed);
    if (failed == asio::error::would_block) {
      const auto* tls = socket_->tls();
      if (ready(*socket_, tls == nullptr ? net::readiness::write : tls->before_write())) continue;
      failed = asio::error::timed_out;
    }
    if (failed) return broken(shown_, failed);
    text.remove_prefix(sent);
  }
  return {};
}

boost::system::result<connection::piece, failure> connection::read(std::span<char> room) {
  boost::system::error_code failed;
  const std::size_t count = socket_->read_some(asio::buffer(room.data(), room.size()), failed);
  if (failed == asio::error::would_block) return piece{};
  if (failed == asio::error::eof) return piece{0, true};
  if (failed) return broken(shown_, failed);
  return piece{count, false};
}

bool connection::wait(std::chrono::milliseconds most) const {
  if (socket_->is_encrypted() && socket_->tls()->has_pending()) return true;
  return ready(socket_->native_handle(), POLLIN, most);
}

}  // namespace tofud::client
