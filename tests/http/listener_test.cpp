// The listener with real sockets: limits, keep-alive, bodies, long answers, faults of handlers.
#include "tests/http/serving.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <sys/resource.h>
#include <utility>

namespace tofud::http {
namespace {

using namespace std::chrono_literals;
using tests::client;
using tests::get_request;

class Listening : public tests::serving {
 protected:
  explicit Listening(listener_options options = {}) : serving{options} {
    routes_.get("/", [](const request&) {
      response page;
      page.content_type = "text/html; charset=utf-8";
      page.body = "<!doctype html>";
      page.headers.push_back({"ETag", "\"v1\""});
      return page;
    });
    routes_.get("/hello", [](const request& asked) {
      response answer;
      answer.body = "hello " + asked.parameter("name").value_or("you") + "\n";
      return answer;
    });
    routes_.get("/throws", [](const request&) -> response { throw std::runtime_error{"secret"}; });
    routes_.get("/long", [this](const request&) {
      response answer;
      answer.pieces = [this, n = 0](std::string& out) mutable {
        ++turns_;
        if (n == 50) return false;
        if (n % 3 != 0) out += std::string(100'000, static_cast<char>('a' + n % 26));
        ++n;
        return true;
      };
      return answer;
    });
    routes_.get("/breaks", [](const request&) {
      response answer;
      answer.body = "begun";
      answer.pieces = [](std::string&) -> bool { throw std::runtime_error{"broken"}; };
      return answer;
    });
    routes_.get_stream("/v1/stream", [](handover&) -> std::optional<response> {
      return problem(404, "no run here");
    });
    start();
  }

  int turns_ = 0;
};

TEST_F(Listening, AnswersWithTheHeadersOfEveryResponse) {
  const auto one = ask(get_request("/", "Connection: close\r\n"));
  EXPECT_EQ(one.status(), 200);
  for (const auto* header :
       {"\r\nContent-Type: text/html; charset=utf-8\r\n", "\r\nContent-Length: 15\r\n",
        "\r\nX-Content-Type-Options: nosniff\r\n",
        "\r\nCross-Origin-Resource-Policy: same-origin\r\n", "\r\nReferrer-Policy: no-referrer\r\n",
        "\r\nContent-Security-Policy: default-src 'none';", "\r\nETag: \"v1\"\r\n",
        "\r\nConnection: close\r\n"}) {
    EXPECT_NE(one.head().find(header), std::string::npos) << header;
  }
  EXPECT_EQ(one.head().find("Access-Control"), std::string::npos);
  EXPECT_EQ(one.after_head(), "<!doctype html>");
}

TEST_F(Listening, AVersionTheClientHasIsNotSentAgain) {
  for (const auto* known : {"\"v1\"", "W/\"v1\"", "\"v0\", \"v1\"", "*"}) {
    const auto one =
        ask(get_request("/", "Connection: close\r\nIf-None-Match: " + std::string{known} + "\r\n"));
    EXPECT_EQ(one.status(), 304) << known;
    EXPECT_EQ(one.after_head(), "");
  }
  EXPECT_EQ(ask(get_request("/", "Connection: close\r\nIf-None-Match: \"v2\"\r\n")).status(), 200);
}

TEST_F(Listening, HeadHasTheLengthAndNoBody) {
  const auto one = ask("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(one.status(), 200);
  EXPECT_NE(one.head().find("Content-Length: 15\r\n"), std::string::npos);
  EXPECT_EQ(one.after_head(), "");
}

TEST_F(Listening, OneConnectionServesManyRequests) {
  client one{io_, port_};
  for (int i = 0; i < 5; ++i) {
    one.forget();
    one.send(get_request("/hello?name=" + std::to_string(i)));
    ASSERT_TRUE(one.until_got("hello " + std::to_string(i) + "\n"));
  }
  EXPECT_EQ(listener_.connections(), 1U);
}

TEST_F(Listening, RequestsSentAtOnceAreAnsweredInOrder) {
  const auto one = ask(get_request("/hello?name=a") + get_request("/throws") +
                       get_request("/hello?name=b", "Connection: close\r\n"));
  const auto first = one.got().find("hello a");
  const auto fault = one.got().find("HTTP/1.1 500");
  const auto second = one.got().find("hello b");
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, fault);
  EXPECT_LT(fault, second);
}

TEST_F(Listening, ALongAnswerComesInPiecesOverManyTurns) {
  const auto one = ask(get_request("/long", "Connection: close\r\n"));
  const auto body = tests::unchunked(one.after_head());
  EXPECT_TRUE(body.complete);
  EXPECT_EQ(body.bytes.size(), 33U * 100'000);
  EXPECT_EQ(turns_, 51);
}

TEST_F(Listening, ALongAnswerStopsWithItsClient) {
  client one{io_, port_, client::receive_buffer::small};
  one.send(get_request("/long"));
  ASSERT_TRUE(one.until_got("bbbb"));
  one.hang_up();
  EXPECT_TRUE(tests::wait_until(io_, [&] { return listener_.connections() == 0; }));
}

TEST_F(Listening, Http10GetsALongAnswerUntilTheEnd) {
  const auto one = ask("GET /long HTTP/1.0\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(one.head().find("chunked"), std::string::npos);
  EXPECT_EQ(one.after_head().size(), 33U * 100'000);
}

/// An answer that goes on as long as a test likes.
class FollowingARun : public Listening {
 protected:
  FollowingARun() {
    routes_.get("/follow", [this](const request&) {
      response answer;
      answer.pieces = [this, alive = alive_](std::string& out) {
        ++asked_;
        out += std::exchange(next_, {});
        return !over_;
      };
      answer.pause = pause_;
      return answer;
    });
  }

  std::string next_;
  std::chrono::milliseconds pause_ = 1ms;
  std::shared_ptr<int> alive_ = std::make_shared<int>();
  int asked_ = 0;
  bool over_ = false;
};

TEST_F(FollowingARun, AnAnswerMayWaitForMoreOfItself) {
  client one{io_, port_};
  one.send(get_request("/follow"));
  next_ = "first";
  ASSERT_TRUE(one.until_got("first"));
  const int before = asked_;
  ASSERT_TRUE(one.until([&] { return asked_ > before + 3; }));
  over_ = true;
  next_ = "last";
  ASSERT_TRUE(one.until_got("0\r\n\r\n"));
  EXPECT_EQ(tests::unchunked(one.after_head()).bytes, "firstlast");
  one.forget();
  one.send(get_request("/hello"));
  EXPECT_TRUE(one.until_got("hello you"));
}

TEST_F(FollowingARun, WaitingCostsNoTurnsAndEndsWithTheClient) {
  pause_ = std::chrono::hours{1};
  {
    client one{io_, port_};
    one.send(get_request("/follow"));
    ASSERT_TRUE(one.until_got("chunked"));
    for (int n = 0; n < 100; ++n) {
      io_.restart();
      io_.poll();
    }
    EXPECT_EQ(asked_, 1);
    EXPECT_EQ(alive_.use_count(), 2);
  }
  ASSERT_TRUE(tests::wait_until(io_, [&] { return listener_.connections() == 0; }));
  EXPECT_EQ(alive_.use_count(), 1);  // the answer is gone
}

TEST_F(FollowingARun, ANextRequestWaitsForItsEnd) {
  client one{io_, port_};
  one.send(get_request("/follow") + get_request("/hello"));
  ASSERT_TRUE(one.until([&] { return asked_ > 3; }));
  one.send(get_request("/hello?name=late"));
  const int before = asked_;
  ASSERT_TRUE(one.until([&] { return asked_ > before + 3; }));
  over_ = true;
  next_ = "last";
  ASSERT_TRUE(one.until_got("hello late"));
  EXPECT_LT(one.got().find("last"), one.got().find("hello you"));
}

TEST_F(FollowingARun, TheEndOfTheListenerEndsItToo) {
  client one{io_, port_};
  one.send(get_request("/follow"));
  ASSERT_TRUE(one.until([&] { return asked_ > 3; }));
  listener_.close();
  ASSERT_TRUE(one.until_end());
  EXPECT_FALSE(tests::unchunked(one.after_head()).complete);
}

TEST_F(Listening, AStreamThatIsRefusedTakesNothingOfTheNextRequest) {
  const auto one =
      ask(get_request("/v1/stream") + get_request("/hello?name=next", "Connection: close\r\n"));
  EXPECT_EQ(one.status(), 404);
  EXPECT_NE(one.got().find("hello next"), std::string::npos);
}

TEST_F(Listening, AnExceptionInAHandlerIsA500WithoutItsText) {
  const auto one = ask(get_request("/throws", "Connection: close\r\n"));
  EXPECT_EQ(one.status(), 500);
  EXPECT_EQ(one.got().find("secret"), std::string::npos);
}

TEST_F(Listening, AnAnswerThatBreaksOffHasNoRegularEnd) {
  const auto one = ask(get_request("/breaks"));
  EXPECT_EQ(one.status(), 200);
  EXPECT_FALSE(tests::unchunked(one.after_head()).complete);
}

struct request_case {
  int status;
  const char* text;
};

TEST_F(Listening, ARefusalDoesNotDependOnThePath) {
  const request_case table[] = {
      {400, "GET / HTTP/1.1\r\n\r\n"},
      {400, "GET /nowhere HTTP/1.1\r\n\r\n"},
      {400,
       "POST /hello HTTP/1.1\r\nContent-Length: 5\r\n\r\n"},  // no Host: at the end of the head
      {400, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"},
      {421, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"},
      {421, "DELETE /nowhere HTTP/1.1\r\nHost: evil.example\r\n\r\n"},
      {421,
       "GET /v1/stream HTTP/1.1\r\nHost: evil.example\r\nUpgrade: websocket\r\nConnection: "
       "upgrade\r\n\r\n"},
      {403, "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n"},
      {403, "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n"},
      {403, "GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n"},
      {405, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"},
      {404, "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"},
      {413, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"},
      {413,
       "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000000\r\nExpect: "
       "100-continue\r\n\r\n"},
      {405, "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {413, "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {400,
       "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: pigeons\r\n\r\nGET / "
       "HTTP/1.1\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, deflate\r\n\r\n"},
      {501, "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, chunked\r\n\r\n"},
      {501, "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"},
      {417, "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nContent-Length: 3\r\n\r\n"},
      {400,
       "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: "
       "3\r\n\r\nabc"},
      {400, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3, 3\r\n\r\nabc"},
      {400, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +3\r\n\r\nabc"},
      {400, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0x3\r\n\r\nabc"},
      {400,
       "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\nContent-Length: "
       "3\r\n\r\nabc"},
      {400,
       "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: "
       "3\r\n\r\nabc"},
      {400, "GET / HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"},
      {400, "GET / \r\n"},
      {400, "\x16\x03\x01\n"},
      {505, "GET / HTTP/3.0\r\n\r\n"},
  };
  for (const auto& one : table) {
    const auto answered = ask(one.text);
    EXPECT_EQ(answered.status(), one.status) << one.text;
    EXPECT_EQ(answered.got().find("HTTP/1.1 ", 5), std::string::npos)
        << "a second answer: " << one.text;
  }
}

TEST_F(Listening, RefusesMethodsAndPathsAndGoesOn) {
  client one{io_, port_};
  one.send("DELETE / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  ASSERT_TRUE(one.until_got("\r\nAllow: GET, HEAD\r\n"));
  EXPECT_EQ(one.status(), 405);
  one.forget();
  one.send(get_request("/nowhere"));
  ASSERT_TRUE(one.until_got("no such path"));
  EXPECT_EQ(one.status(), 404);
  one.forget();
  one.send(get_request("/v1/stream"));
  ASSERT_TRUE(one.until_got("no run here"));
  one.forget();
  one.send(get_request("/hello"));
  ASSERT_TRUE(one.until_got("hello you"));
}

TEST_F(Listening, AnInvalidUpgradeIsRefused) {
  const request_case table[] = {
      {400, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"},
      {400,
       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
       "13\r\nSec-WebSocket-Key: short\r\n"},
      {400,
       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
       "13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=!\r\n"},
      {400,
       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
       "13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZWFh\r\n"},
      {400,
       "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
       "dGhlIHNhbXBsZSBub25jZQ==\r\n"},
      {426,
       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
       "8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"},
      {426,
       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
       "dGhlIHNhbXBsZSBub25jZQ==\r\n"},
  };
  for (const auto& one : table) {
    client asking{io_, port_};
    asking.send(get_request("/v1/stream", one.text));
    ASSERT_TRUE(asking.until_got("}\n"));
    EXPECT_EQ(asking.status(), one.status) << one.text;
  }
}

TEST_F(Listening, ClosingEndsIdleConnectionsAndTakesNoNewOnes) {
  client idle{io_, port_};
  idle.send(get_request("/hello"));
  ASSERT_TRUE(idle.until_got("hello you"));
  listener_.close();
  EXPECT_TRUE(idle.until_end());
  EXPECT_TRUE(tests::wait_until(io_, [&] { return listener_.connections() == 0; }));
}

struct ShortTimes : Listening {
  static listener_options options() {
    listener_options chosen;
    chosen.header_time = 40ms;
    chosen.idle_time = 80ms;
    chosen.linger_time = 40ms;
    chosen.sweep = 5ms;
    chosen.connections = 3;
    return chosen;
  }
  ShortTimes() : Listening{options()} {}
};

TEST_F(ShortTimes, AHeadThatTakesTooLongIsA408) {
  const auto one = ask("GET / HTTP/1.1\r\nHost: loc");
  EXPECT_EQ(one.status(), 408);
}

TEST_F(ShortTimes, SilentClientIsDisconnected) {
  const auto one = ask("");
  EXPECT_EQ(one.got(), "");
}

TEST_F(ShortTimes, ClientThatFallsSilentIsDisconnected) {
  const auto one = ask(get_request("/hello"));
  EXPECT_EQ(one.status(), 200);
}

TEST_F(ShortTimes, ClientThatSendsAfterARefusalIsDisconnected) {
  client one{io_, port_};
  one.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
  ASSERT_TRUE(one.until_got("HTTP/1.1 405"));
  EXPECT_TRUE(one.until_end());
  EXPECT_TRUE(tests::wait_until(io_, [&] { return listener_.connections() == 0; }));
}

TEST_F(ShortTimes, ConnectionsOverTheLimitGet503) {
  std::vector<client> three;
  for (int i = 0; i < 3; ++i) {
    three.emplace_back(io_, port_);
    three.back().send(get_request("/hello"));
    ASSERT_TRUE(three.back().until_got("hello you"));
  }
  const auto one = ask(get_request("/hello"));
  EXPECT_EQ(one.status(), 503);
}

TEST_F(Listening, WithoutFreeDescriptorsItWaitsAndGoesOn) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "sanitizers need descriptors themselves";
#endif
  client first{io_, port_};
  first.send(get_request("/hello"));
  ASSERT_TRUE(first.until_got("hello you"));
  client second{io_, port_};
  second.send(get_request("/hello"));
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  rlimit none = files;
  none.rlim_cur = 3;  // nothing new can be opened
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  io_.restart();
  const auto turns = io_.run_for(50ms);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  EXPECT_LT(turns, 50U);  // it does not spin
  EXPECT_TRUE(second.until_got("hello you"));
  first.forget();
  first.send(get_request("/hello"));
  EXPECT_TRUE(first.until_got("hello you"));
}

// ---- where to listen ----------------------------------------------------------------------

TEST(ListenAddress, IsReadExactly) {
  const auto where = parse_listen_address("127.0.0.1:8700");
  ASSERT_TRUE(where);
  EXPECT_EQ(where->address.to_string(), "127.0.0.1");
  EXPECT_EQ(where->port, 8700);
  EXPECT_EQ(where->more_ports, 0U);
  EXPECT_EQ(parse_listen_address("[::1]:0")->address.to_string(), "::1");
  EXPECT_EQ(parse_listen_address("localhost:1")->address.to_string(), "127.0.0.1");
}

TEST(ListenAddress, InvalidAddressIsExplained) {
  for (const auto* text : {"", "8638", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536",
                           "127.0.0.1:-1", "example.com:80"}) {
    const auto where = parse_listen_address(text);
    ASSERT_FALSE(where) << text;
    EXPECT_GT(where.error().message.size(), 30U) << text;
  }
}

TEST(Binding, TakesTheNextFreePort) {
  boost::asio::io_context io{1};
  router routes;
  listener first{io, routes}, second{io, routes};
  listen_address where;
  const auto one = first.bind(where);
  const auto two = second.bind(where);
  ASSERT_TRUE(one);
  ASSERT_TRUE(two);
  EXPECT_GE(one->port(), 8638);
  EXPECT_GT(two->port(), one->port());
}

TEST(Binding, TakenPortIsExplained) {
  boost::asio::io_context io{1};
  router routes;
  listener first{io, routes}, second{io, routes};
  listen_address where;
  where.port = 0;
  const auto one = first.bind(where);
  ASSERT_TRUE(one);
  where.port = one->port();
  where.more_ports = 0;
  const auto two = second.bind(where);
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().message, "cannot listen on 127.0.0.1:" + std::to_string(one->port()) +
                                     ": Address already in use");
}

TEST(Binding, ServesIPv6LoopbackToo) {
  boost::asio::io_context io{1};
  router routes;
  listener listening{io, routes};
  const auto where = parse_listen_address("[::1]:0");
  const auto bound = listening.bind(*where);
  ASSERT_TRUE(bound);
  listening.start();
  boost::asio::ip::tcp::socket one{io};
  one.connect(*bound);
  constexpr std::string_view head{"GET / HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"};
  ASSERT_EQ(::send(one.native_handle(), head.data(), head.size(), 0),
            static_cast<ssize_t>(head.size()));
  char got[13] = "";
  EXPECT_TRUE(tests::wait_until(
      io, [&] { return ::recv(one.native_handle(), got, 12, MSG_DONTWAIT | MSG_PEEK) == 12; }));
  EXPECT_STREQ(got, "HTTP/1.1 404");
}

}  // namespace
}  // namespace tofud::http
