// Bodies that nobody wants: refused as early as can be, and never asked for by a 100.
#include "tests/http/bodies.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::http {
namespace {

using tests::Bodies;
using tests::client;
using tests::get_request;
using tests::request_of;
using tests::with_length;

TEST_F(Bodies, ATooLongBodyIsRefusedAtItsHead) {
  const auto one = ask(request_of("PUT", "/put", "Content-Length: 1000001\r\n"));
  EXPECT_EQ(one.status(), 413);
  EXPECT_TRUE(body_->pieces.empty());
  EXPECT_EQ(listener_.counted().long_bodies, 1U);
}

TEST_F(Bodies, ATooLongChunkIsRefusedAtItsSize) {
  const auto one =
      ask(request_of("PUT", "/put", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\nF4240\r\n"));
  EXPECT_EQ(one.status(), 413);
  EXPECT_TRUE(body_->broken && body_->destroyed);
}

TEST_F(Bodies, TheOpenerRefusesBeforeTheBodyIsRead) {
  const auto one = ask(request_of("PUT", "/put?who=x", "Content-Length: 6\r\n", "abc"));
  EXPECT_EQ(one.status(), 401);
  EXPECT_NE(one.head().find("Connection: close"), std::string::npos);
  EXPECT_TRUE(body_->pieces.empty());
}

TEST_F(Bodies, ARefusedRequestWithoutABodyKeepsTheConnection) {
  client one{io_, port_};
  one.send(with_length("PUT", "/put?who=x", "") + get_request("/hello"));
  ASSERT_TRUE(one.until_got("hello\n"));
  EXPECT_EQ(one.status(), 401);
}

TEST_F(Bodies, AnUnknownMethodIsA405WithTheAllowedOnes) {
  const auto one = ask(request_of("OPTIONS", "/later", "Connection: close\r\n"));
  EXPECT_EQ(one.status(), 405);
  EXPECT_NE(one.head().find("\r\nAllow: DELETE, GET, HEAD\r\n"), std::string::npos);
  EXPECT_NE(ask(get_request("/put", "Connection: close\r\n")).head().find("\r\nAllow: PUT\r\n"),
            std::string::npos);
}

TEST_F(Bodies, ARequestOfAnotherSiteIsRefusedBeforeItsBody) {
  for (const auto* header :
       {"Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: http://localhost:1\r\n",
        "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n"}) {
    const auto one = ask(with_length("POST", "/echo", "x", header));
    EXPECT_EQ(one.status(), 403) << header;
  }
  const std::string own = "Origin: http://localhost:" + std::to_string(port_) + "\r\n";
  for (const std::string& header : {own, std::string{"Sec-Fetch-Site: same-origin\r\n"},
                                    std::string{"Sec-Fetch-Site: none\r\n"}}) {
    EXPECT_EQ(ask(with_length("POST", "/echo", "x", header + "Connection: close\r\n")).status(),
              200)
        << header;
  }
  // Another port of this machine may look.
  EXPECT_EQ(
      ask(get_request("/hello", "Sec-Fetch-Site: same-site\r\nConnection: close\r\n")).status(),
      200);
}

// ---- 100-continue -------------------------------------------------------------------------

TEST_F(Bodies, ContinueIsSentWhenTheBodyIsWanted) {
  client one{io_, port_};
  one.send(request_of("PUT", "/put", "Content-Length: 3\r\nExpect: 100-continue\r\n"));
  ASSERT_TRUE(one.until_got("HTTP/1.1 100 Continue\r\n\r\n"));
  EXPECT_EQ(one.got(), "HTTP/1.1 100 Continue\r\n\r\n");
  one.forget();
  one.send("abc" + get_request("/hello"));
  ASSERT_TRUE(one.until_got("hello\n"));
  EXPECT_EQ(one.status(), 200);
}

TEST_F(Bodies, RefusalSendsNoContinue) {
  const std::string waits = "Content-Length: 3\r\nExpect: 100-continue\r\n";
  EXPECT_EQ(ask(request_of("PUT", "/put?who=x", waits)).status(), 401);
  EXPECT_EQ(ask(request_of("PUT", "/nowhere", waits)).status(), 404);
  EXPECT_EQ(ask(request_of("POST", "/put", waits)).status(), 405);
  EXPECT_EQ(
      ask(request_of("POST", "/echo", "Content-Length: 1001\r\nExpect: 100-continue\r\n")).status(),
      413);
  EXPECT_EQ(ask(request_of("PUT", "/put", "Content-Length: 3\r\nExpect: gold\r\n")).status(), 417);
}

TEST_F(Bodies, ContinueIsNotSentWithoutExpect) {
  const std::string end = "Expect: 100-continue\r\nConnection: close\r\n";
  const auto one = ask(with_length("POST", "/echo?a", "b", end));
  EXPECT_EQ(one.status(), 200);
  EXPECT_EQ(ask(with_length("POST", "/echo?a", "", end)).status(), 200);
  const auto old =
      ask("POST /echo?a HTTP/1.0\r\nHost: localhost\r\nContent-Length: 1\r\n" + end + "\r\nb");
  EXPECT_EQ(old.status(), 200);
}

}  // namespace
}  // namespace tofud::http
