// Where the listener listens, whom it counts, and what it keeps for those who must get in.
#include "tests/http/serving.hpp"
#include "tests/scratch_directory.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <sys/un.h>
#include <utility>
#include <vector>

namespace tofud::http {
namespace {

using namespace std::chrono_literals;
using tests::client;
using tests::get_request;

void say_hello(router& routes) {
  routes.get("/hello", [](const request& asked) {
    response answer;
    answer.body = "hello " + asked.from.address + "\n";
    return answer;
  });
}

class ListeningSockets : public testing::Test {
 protected:
  ListeningSockets() { say_hello(routes_); }

  /// A TCP socket on a free port of loopback that listens, or only is bound.
  static int tcp_socket(bool listening) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where), 0);
    if (listening) {
      EXPECT_EQ(::listen(fd, 10), 0);
    }
    return fd;
  }
  void expect_hello(std::uint16_t port) {
    client one{io_, port};
    one.send(get_request("/hello"));
    EXPECT_TRUE(one.until_got("hello 127.0.0.1")) << one.got();
  }

  boost::asio::io_context io_{1};
  router routes_;
};

TEST_F(ListeningSockets, EveryAddressThatIsBoundIsServed) {
  listener all{io_, routes_};
  const auto one = all.bind(*parse_listen_address("127.0.0.1:0"));
  const auto two = all.bind(*parse_listen_address("127.0.0.1:0"));
  ASSERT_TRUE(one && two);
  all.start();
  expect_hello(one->port());
  expect_hello(two->port());
}

TEST_F(ListeningSockets, EachHasItsOwnPortInHost) {
  listener all{io_, routes_};
  const auto one = all.bind(*parse_listen_address("127.0.0.1:0"));
  const auto two = all.bind(*parse_listen_address("127.0.0.1:0"));
  ASSERT_TRUE(one && two);
  all.start();
  client wrong{io_, two->port()};
  wrong.send("GET /hello HTTP/1.1\r\nHost: localhost:" + std::to_string(one->port()) + "\r\n\r\n");
  ASSERT_TRUE(wrong.until_end());
  EXPECT_EQ(wrong.status(), 421);
}

TEST_F(ListeningSockets, AnInheritedTcpSocketIsServed) {
  listener given{io_, routes_};
  const auto where = given.adopt(tcp_socket(true));
  ASSERT_TRUE(where);
  ASSERT_TRUE(*where);
  given.start();
  expect_hello((*where)->port());
}

TEST_F(ListeningSockets, AnInheritedUnixSocketIsServedAndItsFileStays) {
  const tests::scratch_directory scratch;
  const std::string path = scratch / "given.sock";
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  path.copy(where.sun_path, sizeof where.sun_path - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where), 0);
  ASSERT_EQ(::listen(fd, 10), 0);
  {
    listener given{io_, routes_};
    const auto taken = given.adopt(fd);
    ASSERT_TRUE(taken);
    EXPECT_FALSE(*taken);
    given.start();
    client one{io_, path};
    one.send(get_request("/hello"));
    EXPECT_TRUE(one.until_got("hello \n")) << one.got();
    given.close();
  }
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(ListeningSockets, ADescriptorThatIsNoListeningStreamSocketIsRefusedAndStaysOpen) {
  listener given{io_, routes_};
  const int bound = tcp_socket(false);
  const int datagrams = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const std::vector<std::pair<int, std::string>> wrong{{bound, "it is not listening"},
                                                       {datagrams, "it is not a stream socket"},
                                                       {file, "it is not a socket"}};
  for (const auto& [fd, why] : wrong) {
    const auto taken = given.adopt(fd);
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().message.find(why), std::string::npos) << taken.error().message;
    EXPECT_EQ(::close(fd), 0) << why;
  }
}

// ---- beyond loopback ----------------------------------------------------------------------

TEST(Exposure, NeedsTlsAndATokenOrAnExplicitOption) {
  using boost::asio::ip::make_address;
  listener_options options;
  EXPECT_EQ(refuse_exposure(make_address("127.3.4.5"), options), "");
  EXPECT_EQ(refuse_exposure(make_address("::1"), options), "");
  for (const auto* beyond : {"0.0.0.0", "::", "192.0.2.1", "2001:db8::1"}) {
    const auto why = refuse_exposure(make_address(beyond), options);
    EXPECT_NE(why.find("--tls-cert"), std::string::npos) << why;
    EXPECT_NE(why.find("tofud token create"), std::string::npos) << why;
    EXPECT_NE(why.find("--insecure"), std::string::npos) << why;
  }
  options.beyond_loopback.has_token = [] { return true; };
  const auto why = refuse_exposure(make_address("::"), options);
  EXPECT_NE(why.find("--tls-cert"), std::string::npos) << why;
  EXPECT_EQ(why.find("tofud token create"), std::string::npos) << why;
  options.beyond_loopback.insecure = true;
  EXPECT_EQ(refuse_exposure(make_address("::"), options), "");
}

TEST_F(ListeningSockets, AnInheritedSocketBeyondLoopbackNeedsWhatABoundOneNeeds) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where), 0);
  ASSERT_EQ(::listen(fd, 1), 0);
  listener given{io_, routes_};
  const auto taken = given.adopt(fd);
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message.find("--insecure"), std::string::npos);
  EXPECT_EQ(::close(fd), 0);
  listener_options meant;
  meant.beyond_loopback.insecure = true;
  listener open{io_, routes_, meant};
  const auto bound = open.bind(*parse_listen_address("0.0.0.0:0"));
  ASSERT_TRUE(bound);
  open.start();
  expect_hello(bound->port());
}

// ---- who is counted -----------------------------------------------------------------------

TEST(SenderAddress, AnIpv6SenderIsANetworkAndLocalOnesAndProxiesAreNotCounted) {
  using boost::asio::ip::make_address;
  listener_options options;
  EXPECT_EQ(counted_as(options, make_address("127.0.0.1")), "");
  EXPECT_EQ(counted_as(options, make_address("::1")), "");
  EXPECT_EQ(counted_as(options, make_address("192.0.2.1")), "192.0.2.1");
  EXPECT_EQ(counted_as(options, make_address("2001:db8:1:2:3:4:5:6")), "2001:db8:1:2::");
  options.is_proxy = [](const boost::asio::ip::address& peer) {
    return peer == make_address("192.0.2.1");
  };
  EXPECT_EQ(counted_as(options, make_address("192.0.2.1")), "");
  EXPECT_EQ(counted_as(options, make_address("192.0.2.2")), "192.0.2.2");
}

// ---- what is kept for others --------------------------------------------------------------

listener_options two_at_a_time() {
  listener_options options;
  options.connections = 2;
  options.connections_in_reserve = 3;
  options.header_bytes = 300;
  options.sweep = 1ms;
  return options;
}

class ConnectionLimit : public tests::serving {
 protected:
  ConnectionLimit() : serving{two_at_a_time()} {
    say_hello(routes_);
    routes_.get("/healthz", [](const request&) { return response{}; });
    routes_.take_whole("PUT", "/put", 100,
                       [](const request&, const std::string& body, auto answer) {
                         response said;
                         said.body = "put " + body;
                         answer(std::move(said));
                       });
    start();
  }
  /// Two that stay.
  std::vector<client> fill() {
    std::vector<client> all;
    for (int i = 0; i < 2; ++i) {
      all.emplace_back(io_, port_);
      all.back().send(get_request("/hello"));
      EXPECT_TRUE(all.back().until_got("hello"));
    }
    return all;
  }
};

TEST_F(ConnectionLimit, UploadsAndHealthChecksUseTheReserve) {
  const auto two = fill();
  EXPECT_EQ(ask(get_request("/hello")).status(), 503);
  EXPECT_EQ(ask(get_request("/healthz")).status(), 200);
  const auto put = ask("PUT /put HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(put.status(), 200);
  EXPECT_TRUE(put.got().ends_with("put abc"));
  EXPECT_EQ(listener_.counted().refused_reserved, 1U);
  EXPECT_EQ(listener_.counted().accepted, 5U);
}

TEST_F(ConnectionLimit, ConnectionsBeyondTheReserveAreRefused) {
  const auto two = fill();
  std::vector<client> waiting;
  for (int i = 0; i < 3; ++i) waiting.emplace_back(io_, port_);
  EXPECT_TRUE(tests::wait_until(io_, [&] { return listener_.connections() == 5; }));
  EXPECT_EQ(ask(get_request("/healthz")).status(), 503);
  EXPECT_EQ(listener_.counted().refused_connections, 1U);
}

TEST_F(ConnectionLimit, HeadsHaveALimitOfTheirOwn) {
  EXPECT_EQ(ask(get_request("/hello", "A: " + std::string(300, 'a') + "\r\n")).status(), 431);
  EXPECT_EQ(listener_.counted().long_heads, 1U);
  EXPECT_EQ(ask("nonsense\r\n").status(), 400);
  EXPECT_EQ(listener_.counted().bad_heads, 1U);
}

}  // namespace
}  // namespace tofud::http
