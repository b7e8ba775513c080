// Bodies of requests through real sockets: who gets them, when they are read, how they end.
#include "daemon/http/limits.hpp"
#include "tests/http/bodies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tofud::http {
namespace {

using namespace std::chrono_literals;
using tests::Bodies;
using tests::client;
using tests::get_request;
using tests::recording_taker;
using tests::request_of;
using tests::said;
using tests::seen;
using tests::with_length;

TEST_F(Bodies, AWholeBodyIsGivenToItsHandler) {
  const auto one = ask(with_length("POST", "/echo?a", "hello", "Connection: close\r\n"));
  EXPECT_EQ(one.status(), 200);
  EXPECT_EQ(one.after_head(), "a:hello\n");
}

TEST_F(Bodies, ARequestWithoutABodyHasAnEmptyOne) {
  EXPECT_EQ(ask(request_of("POST", "/echo?a", "Connection: close\r\n")).after_head(), "a:\n");
  EXPECT_EQ(ask(with_length("POST", "/echo?b", "", "Connection: close\r\n")).after_head(), "b:\n");
  EXPECT_TRUE(body_->pieces.empty());
}

TEST_F(Bodies, RequestsFollowABodyOnTheSameConnection) {
  const auto one =
      ask(with_length("POST", "/echo?1", "first") +
          request_of("POST", "/echo?2", "Transfer-Encoding: chunked\r\n",
                     "3\r\nsec\r\n3;x=y\r\nond\r\n0\r\nTrailer: gone\r\n\r\n") +
          get_request("/hello") + with_length("POST", "/echo?3", "", "Connection: close\r\n"));
  const auto& all = one.got();
  for (const auto* part : {"1:first\n", "2:second\n", "hello\n", "3:\n"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
  EXPECT_LT(all.find("1:first"), all.find("2:second"));
  EXPECT_LT(all.find("2:second"), all.find("hello\n"));
}

TEST_F(Bodies, AnAnswerMayComeLater) {
  client one{io_, port_};
  one.send(get_request("/later"));
  ASSERT_TRUE(until([&] { return !later_.empty(); }));
  later_.front()(said("at last\n"));
  later_.front()(said("twice\n"));
  ASSERT_TRUE(one.until_got("at last\n"));
  one.send(get_request("/hello"));
  ASSERT_TRUE(one.until_got("hello\n"));
  EXPECT_EQ(one.got().find("twice"), std::string::npos);
}

TEST_F(Bodies, AnAnswerAfterItsConnectionIsGoneIsHarmless) {
  client one{io_, port_};
  one.send(get_request("/later"));
  ASSERT_TRUE(until([&] { return !later_.empty(); }));
  one.hang_up();
  later_.front()(said("nobody is there\n"));
  EXPECT_TRUE(until([&] { return listener_.connections() == 0; }));
  later_.front()(said("and again\n"));
}

TEST_F(Bodies, AnAnswerThatIsDroppedIsA500) {
  client one{io_, port_};
  one.send(get_request("/later", "Connection: close\r\n"));
  ASSERT_TRUE(until([&] { return !later_.empty(); }));
  later_.clear();
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(one.status(), 500);
}

TEST_F(Bodies, HeadIsAnsweredLaterByTheRouteOfGet) {
  client one{io_, port_};
  one.send("HEAD /later HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(until([&] { return !later_.empty(); }));
  later_.front()(said("12345"));
  ASSERT_TRUE(one.until_end());
  EXPECT_NE(one.head().find("Content-Length: 5\r\n"), std::string::npos);
  EXPECT_EQ(one.after_head(), "");
}

TEST_F(Bodies, A204HasNeitherBodyNorLength) {
  client one{io_, port_};
  one.send(request_of("DELETE", "/later", "") + get_request("/hello"));
  ASSERT_TRUE(one.until_got("hello\n"));
  EXPECT_EQ(one.status(), 204);
  EXPECT_EQ(one.head().find("\r\nContent-"), std::string::npos);
  EXPECT_TRUE(one.after_head().starts_with("HTTP/1.1 200 OK"));
}

TEST_F(Bodies, AnExceptionInABodyHandlerIsA500WithoutItsText) {
  const auto one = ask(with_length("POST", "/throws", "abc", "Connection: close\r\n"));
  EXPECT_EQ(one.status(), 500);
  EXPECT_EQ(one.got().find("secret"), std::string::npos);
}

// ---- pieces -------------------------------------------------------------------------------

TEST_F(Bodies, PiecesAreTakenAsTheyCome) {
  client one{io_, port_};
  one.send(request_of("PUT", "/put", "Content-Length: 6\r\n", "ab"));
  ASSERT_TRUE(until([&] { return body_->bytes == "ab"; }));
  one.send("cd");
  ASSERT_TRUE(until([&] { return body_->bytes == "abcd"; }));
  EXPECT_FALSE(body_->ended);
  one.send("ef");
  ASSERT_TRUE(one.until_got("took 6\n"));
  EXPECT_EQ(body_->pieces.size(), 3U);
  EXPECT_TRUE(body_->destroyed);
  EXPECT_FALSE(body_->broken);
}

TEST_F(Bodies, AChunkedBodyCutAnywhereIsTheSame) {
  const std::string text = request_of("PUT", "/put", "Transfer-Encoding: chunked\r\n",
                                      "4;a=b\r\nabcd\r\n01\r\ne\r\n0\r\nT: x\r\n\r\n") +
                           get_request("/hello");
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    *body_ = {};
    client one{io_, port_};
    one.send(text.substr(0, cut));
    io_.restart();
    io_.poll();
    io_.poll();
    one.send(text.substr(cut));
    ASSERT_TRUE(one.until_got("hello\n")) << cut;
    EXPECT_EQ(body_->bytes, "abcde") << cut;
    EXPECT_TRUE(body_->ended && !body_->broken) << cut;
  }
}

TEST_F(Bodies, AHandlerThatIsNotReadyStopsTheReading) {
  body_->holds = true;
  client one{io_, port_};
  constexpr std::size_t most = 64 * 1024 * 1024;
  one.send(request_of("PUT", "/stream", "Transfer-Encoding: chunked\r\n", "4000000\r\n"));
  const std::string block(100'000, 'x');
  std::size_t sent = 0;
  const auto push = [&] {
    for (;;) {
      const auto size = ::send(one.fd(), block.data(), std::min(block.size(), most - sent),
                               MSG_NOSIGNAL | MSG_DONTWAIT);
      if (size <= 0) return;
      sent += static_cast<std::size_t>(size);
      if (sent == most) return;
    }
  };
  // Until the sockets are full and nobody reads any more: ten thousand turns change nothing.
  std::size_t stood_at = 1;
  while (stood_at != sent) {
    stood_at = sent;
    for (int n = 0; n < 10'000; ++n) {
      push();
      io_.restart();
      io_.poll();
    }
  }
  ASSERT_LT(sent, most);
  ASSERT_EQ(body_->pieces.size(), 1U);
  EXPECT_LE(body_->bytes.size(), limits::body_read_bytes);

  body_->holds = false;
  std::exchange(body_->next, nullptr)(std::nullopt);
  ASSERT_TRUE(until([&] {
    push();
    return sent == most;
  }));
  one.send("\r\n0\r\n\r\n");
  ASSERT_TRUE(one.until_got("took 67108864\n"));
}

TEST_F(Bodies, TheNextPieceMayBeWantedAfterTheConnectionIsGone) {
  body_->holds = true;
  client one{io_, port_};
  one.send(request_of("PUT", "/put", "Content-Length: 6\r\n", "ab"));
  ASSERT_TRUE(until([&] { return body_->next != nullptr; }));
  one.hang_up();
  EXPECT_FALSE(body_->broken);  // it is told when it wants more
  body_->next(std::nullopt);
  ASSERT_TRUE(until([&] { return listener_.connections() == 0; }));
  EXPECT_TRUE(body_->broken && body_->destroyed);
  body_->next(std::nullopt);
}

TEST_F(Bodies, AnAnswerToTheLastPieceKeepsTheConnection) {
  body_->refuses_at_once = said("enough\n", 409);
  client one{io_, port_};
  one.send(with_length("PUT", "/put", "abc") + get_request("/hello"));
  ASSERT_TRUE(one.until_got("hello\n"));
  EXPECT_EQ(one.status(), 409);
  EXPECT_FALSE(body_->ended);
}

TEST_F(Bodies, AnAnswerInMidBodyReachesAClientThatStillSends) {
  body_->refuses_at_once = problem(507, "the disk is full");
  client one{io_, port_};
  one.send(request_of("PUT", "/put", "Content-Length: 900000\r\n", "abc"));
  std::size_t sent = 3;
  const std::string block(50'000, 'x');
  EXPECT_TRUE(one.until([&] {
    const auto size =
        ::send(one.fd(), block.data(), std::min<std::size_t>(block.size(), 900'000 - sent),
               MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size > 0) sent += static_cast<std::size_t>(size);
    return sent == 900'000;
  }));
  EXPECT_EQ(one.status(), 507);
  EXPECT_NE(one.head().find("Connection: close"), std::string::npos);
  one.end_of_requests();
  EXPECT_TRUE(one.until_end());
  EXPECT_TRUE(body_->destroyed);
  EXPECT_FALSE(body_->broken || body_->ended);
}

TEST_F(Bodies, ADroppedBodyIsA500) {
  body_->holds = true;
  client one{io_, port_};
  one.send(request_of("PUT", "/put", "Content-Length: 6\r\n", "ab"));
  ASSERT_TRUE(until([&] { return body_->next != nullptr; }));
  body_->next = nullptr;
  ASSERT_TRUE(one.until_got("HTTP/1.1 500"));
  EXPECT_TRUE(body_->destroyed);
}

// ---- bodies that break --------------------------------------------------------------------

TEST_F(Bodies, ADisconnectInMidBodyBreaksIt) {
  for (const auto* head : {"Content-Length: 6\r\n", "Transfer-Encoding: chunked\r\n"}) {
    *body_ = {};
    {
      client one{io_, port_};
      one.send(request_of("PUT", "/put", head, "1\r\na\r\n"));
      ASSERT_TRUE(until([&] { return !body_->bytes.empty(); }));
      if (std::string_view{head}.starts_with("Content-")) continue;
    }
    ASSERT_TRUE(until([&] { return body_->destroyed; })) << head;
    EXPECT_TRUE(body_->broken) << head;
    EXPECT_FALSE(body_->ended) << head;
  }
}

TEST_F(Bodies, AShortBodyIsBroken) {
  client one{io_, port_};
  one.send(request_of("PUT", "/put", "Content-Length: 6\r\n", "abcde"));
  one.end_of_requests();
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(one.got(), "");
  EXPECT_TRUE(body_->broken && body_->destroyed && !body_->ended);
}

TEST_F(Bodies, MalformedChunksAreA400AndBreakTheBody) {
  for (const auto* chunks : {"x\r\n", "3\nabc\r\n", "3\r\nabcd\r\n", "3 \r\nabc\r\n", "-1\r\n",
                             "11111111111111111\r\n", "\r\n", "3\r\nabc\r\n0\r\nbad\x01\r\n\r\n"}) {
    *body_ = {};
    const auto one = ask(request_of("PUT", "/put", "Transfer-Encoding: chunked\r\n", chunks) +
                         get_request("/hello"));
    EXPECT_EQ(one.status(), 400) << chunks;
    EXPECT_EQ(one.got().find("hello\n"), std::string::npos) << chunks;
    EXPECT_TRUE(body_->broken && !body_->ended) << chunks;
  }
}

struct SoonStalled : Bodies {
  static listener_options options() {
    listener_options chosen;
    chosen.sweep = 5ms;
    chosen.linger_time = 40ms;
    return chosen;
  }
  SoonStalled() : Bodies{options(), 40ms} {}
};

TEST_F(SoonStalled, ABodyThatStallsIsA408AndBroken) {
  const auto one = ask(request_of("PUT", "/put", "Content-Length: 6\r\n", "abc"));
  EXPECT_EQ(one.status(), 408);
  EXPECT_NE(one.got().find("the rest of the request's body did not come in time"),
            std::string::npos);
  EXPECT_TRUE(body_->broken && body_->destroyed);
  EXPECT_EQ(listener_.counted().stalled_bodies, 1U);
}

TEST_F(SoonStalled, ATricklingBodyIsA408AtItsDeadline) {
  routes_.take("PUT", "/trickle", {1'000'000, 10s, 200ms},
               [this](const request&) -> std::variant<response, std::unique_ptr<body_taker>> {
                 return std::make_unique<recording_taker>(body_);
               });
  client one{io_, port_};
  one.send(request_of("PUT", "/trickle", "Content-Length: 1000000\r\n"));
  ASSERT_TRUE(until([&] {
    if (body_->destroyed) return true;
    one.send("x");
    std::this_thread::sleep_for(1ms);
    return false;
  }));
  EXPECT_TRUE(one.until_end());
  EXPECT_EQ(one.status(), 408);
  EXPECT_NE(one.got().find("the request's body took too long"), std::string::npos);
  EXPECT_TRUE(body_->broken && !body_->ended);
  EXPECT_GT(body_->pieces.size(), 1U);
  EXPECT_EQ(listener_.counted().slow_bodies, 1U);
}

TEST_F(SoonStalled, AStalledWholeBodyIsA408) {
  const auto one = ask(request_of("POST", "/echo", "Content-Length: 6\r\n", "abc"));
  EXPECT_EQ(one.status(), 408);
  EXPECT_NE(one.got().find("the rest of the request's body did not come in time"),
            std::string::npos);
  EXPECT_EQ(listener_.counted().stalled_bodies, 1U);
  EXPECT_EQ(listener_.counted().slow_bodies, 0U);
}

TEST_F(SoonStalled, ClientThatIsHeldBackDoesNotStall) {
  body_->holds = true;
  client one{io_, port_};
  one.send(request_of("PUT", "/put", "Content-Length: 6\r\n", "abc"));
  ASSERT_TRUE(until([&] { return body_->next != nullptr; }));
  const auto later = std::chrono::steady_clock::now() + 100ms;
  ASSERT_TRUE(until([&] { return std::chrono::steady_clock::now() > later; }));
  EXPECT_FALSE(body_->broken);
  body_->holds = false;
  body_->next(std::nullopt);
  one.send("def");
  ASSERT_TRUE(one.until_got("took 6\n"));
}

TEST_F(SoonStalled, AStreamMayPauseForAnyTime) {
  client one{io_, port_};
  one.send(request_of("PUT", "/stream", "Transfer-Encoding: chunked\r\n", "1\r\na\r\n"));
  ASSERT_TRUE(until([&] { return body_->bytes == "a"; }));
  const auto later = std::chrono::steady_clock::now() + 100ms;
  ASSERT_TRUE(until([&] { return std::chrono::steady_clock::now() > later; }));
  one.send("0\r\n\r\n");
  ASSERT_TRUE(one.until_got("took 1\n"));
}

// ---- the end of the daemon ----------------------------------------------------------------

TEST_F(Bodies, BodiesThatAreCutOffAreBroken) {
  client coming{io_, port_}, held{io_, port_}, whole{io_, port_};
  coming.send(request_of("PUT", "/put", "Content-Length: 6\r\n", "ab"));
  ASSERT_TRUE(until([&] { return body_->bytes == "ab"; }));
  const auto first = std::exchange(body_, std::make_shared<seen>());
  body_->holds = true;
  held.send(request_of("PUT", "/put", "Content-Length: 6\r\n", "cd"));
  ASSERT_TRUE(until([&] { return body_->next != nullptr; }));
  const auto second = std::exchange(body_, std::make_shared<seen>());
  body_->holds = true;
  whole.send(get_request("/later"));
  ASSERT_TRUE(until([&] { return !later_.empty(); }));
  listener_.close();
  listener_.cut_bodies();
  ASSERT_TRUE(until([&] { return first->destroyed && second->destroyed; }));
  EXPECT_TRUE(first->broken && second->broken);
  later_.front()(said("still answered\n"));
  EXPECT_TRUE(whole.until_got("still answered\n"));
  ASSERT_TRUE(until([&] { return listener_.connections() == 0; }));
}

TEST(BodiesAtTheEnd, TheLoopEndsInMidBodyWithoutALeak) {
  auto body = std::make_shared<seen>();
  body->holds = true;
  std::function<void(response)> later;
  {
    boost::asio::io_context io{1};
    router routes;
    routes.take("PUT", "/put", {100, std::nullopt},
                [&](const request&) -> std::variant<response, std::unique_ptr<body_taker>> {
                  return std::make_unique<recording_taker>(body);
                });
    routes.answer_later("GET", "/later", [&](const request&, std::function<void(response)> answer) {
      later = std::move(answer);
    });
    listener listening{io, routes};
    listen_address where;
    where.port = 0;
    const auto bound = listening.bind(where);
    ASSERT_TRUE(bound);
    listening.start();
    client one{io, bound->port()}, two{io, bound->port()};
    one.send(request_of("PUT", "/put", "Content-Length: 6\r\n", "ab"));
    two.send(get_request("/later"));
    ASSERT_TRUE(tests::wait_until(io, [&] { return body->next && later; }));
  }
  EXPECT_TRUE(body->destroyed);
  body->next(std::nullopt);
  later(said("too late"));
}

}  // namespace
}  // namespace tofud::http
