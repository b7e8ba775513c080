#include "daemon/remote/connection.hpp"

#include "protocol/limits.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace tofud::remote {
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
boost::system::error_code connect(generic::socket& socket, const generic::endpoint& to) {
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
  auto opened = std::make_unique<socket>(*io);
  boost::system::error_code failed = asio::error::host_not_found;
  for (const generic::endpoint& each : endpoints_of(to, *io, failed)) {
    failed = connect(*opened, each);
    if (!failed) return connection{std::move(io), std::move(opened), to.shown};
  }
  return failure{trouble::absent, "no tofud answers at " + to.shown + " (" + failed.message() +
                                      "); `tofud serve` starts one"};
}

boost::system::result<void, failure> connection::send(std::string_view text) {
  while (!text.empty()) {
    boost::system::error_code failed;
    const std::size_t sent = socket_->send(asio::buffer(text), MSG_NOSIGNAL, failed);
    if (failed == asio::error::would_block) {
      if (ready(socket_->native_handle(), POLLOUT, limits::remote_wait)) continue;
      failed = asio::error::timed_out;
    }
    if (failed) return broken(shown_, failed);
    text.remove_prefix(sent);
  }
  return {};
}

boost::system::result<connection::piece, failure> connection::read(std::span<char> room) {
  boost::system::error_code failed;
  const std::size_t count = socket_->receive(asio::buffer(room.data(), room.size()), 0, failed);
  if (failed == asio::error::would_block) return piece{};
  if (failed == asio::error::eof) return piece{0, true};
  if (failed) return broken(shown_, failed);
  return piece{count, false};
}

bool connection::wait(std::chrono::milliseconds most) const {
  return ready(socket_->native_handle(), POLLIN, most);
}

}  // namespace tofud::remote
