// Whose process is at the other end: real sockets and, as root, another user's.
#include "daemon/http/peer_uid.hpp"

#include "tests/http/loopback.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tofud::http {
namespace {

using boost::asio::ip::address_v4;
using boost::asio::ip::address_v6;
using boost::asio::ip::tcp;

constexpr uid_t nobody = 65534;

struct pair_of_sockets {
  pair_of_sockets(boost::asio::io_context& io, const boost::asio::ip::address& on)
      : listening{io, tcp::endpoint{on, 0}}, near{io}, far{io} {
    far.connect(listening.local_endpoint());
    listening.accept(near);
  }
  tcp::acceptor listening;
  tcp::socket near, far;
};

class PeerUid : public testing::TestWithParam<boost::asio::ip::address> {};

TEST_P(PeerUid, OwnConnectionHasOurUid) {
  boost::asio::io_context io;
  pair_of_sockets sockets{io, GetParam()};
  peer_lookup lookup;
  EXPECT_EQ(lookup.find(sockets.near.remote_endpoint(), sockets.near.local_endpoint()),
            ::geteuid());
}

TEST_P(PeerUid, IsTheSameInProc) {
  boost::asio::io_context io;
  pair_of_sockets sockets{io, GetParam()};
  EXPECT_EQ(detail::find_in_proc(sockets.near.remote_endpoint(), sockets.near.local_endpoint()),
            ::geteuid());
}

TEST_P(PeerUid, ClosedPeerHasNoUid) {
  boost::asio::io_context io;
  pair_of_sockets sockets{io, GetParam()};
  const auto peer = sockets.near.remote_endpoint();
  const auto here = sockets.near.local_endpoint();
  sockets.far.close();
  peer_lookup lookup;
  EXPECT_FALSE(lookup.find(peer, here));
  EXPECT_FALSE(detail::find_in_proc(peer, here));
}

TEST_P(PeerUid, MissingConnectionHasNoUid) {
  boost::asio::io_context io;
  pair_of_sockets sockets{io, GetParam()};
  auto peer = sockets.near.remote_endpoint();
  peer.port(static_cast<std::uint16_t>(peer.port() ^ 1U));
  peer_lookup lookup;
  EXPECT_FALSE(lookup.find(peer, sockets.near.local_endpoint()));
  EXPECT_FALSE(detail::find_in_proc(peer, sockets.near.local_endpoint()));
}

INSTANTIATE_TEST_SUITE_P(Loopback, PeerUid,
                         testing::Values(boost::asio::ip::address{address_v4::loopback()},
                                         boost::asio::ip::address{address_v6::loopback()}));

TEST(PeerUidOfAnother, UserIsRefusedByTheListener) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  boost::asio::io_context io{1};
  router routes;
  routes.get("/", [](const request&) { return response{}; });
  listener listening{io, routes};
  listen_address where;
  where.port = 0;
  const auto bound = listening.bind(where);
  ASSERT_TRUE(bound);
  listening.start();

  int answer[2];
  ASSERT_EQ(::pipe(answer), 0);
  const pid_t child = ::fork();
  if (child == 0) {  // only system calls from here on
    char first[16] = "?";
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(bound->port());
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // The socket belongs to who made it, so it is made again.
    ::close(fd);
    if (::setuid(nobody) != 0) ::_exit(1);
    const int mine = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(mine, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) ::_exit(2);
    constexpr std::string_view head{"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"};
    if (::send(mine, head.data(), head.size(), MSG_NOSIGNAL) < 0) ::_exit(3);
    const auto size = ::recv(mine, first, 12, MSG_WAITALL);
    (void)!::write(answer[1], first, size > 0 ? static_cast<std::size_t>(size) : 1);
    ::_exit(0);
  }
  ::close(answer[1]);
  int status = 0;
  EXPECT_TRUE(tests::wait_until(io, [&] { return ::waitpid(child, &status, WNOHANG) == child; }));
  char got[16] = "";
  EXPECT_GT(::read(answer[0], got, sizeof got - 1), 0);
  ::close(answer[0]);
  EXPECT_STREQ(got, "HTTP/1.1 403");

  tests::client ours{io, bound->port()};
  ours.send(tests::get_request("/"));
  EXPECT_TRUE(ours.until_got("HTTP/1.1 200 "));
}

}  // namespace
}  // namespace tofud::http
