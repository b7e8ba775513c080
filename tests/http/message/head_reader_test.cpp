#include "daemon/http/message/head_reader.hpp"

#include "daemon/net/limits.hpp"

#include <gtest/gtest.h>

namespace tofud::http {
namespace {

using state = head_reader::state;

TEST(HeadReader, ReadsAHead) {
  head_reader reader;
  ASSERT_EQ(reader.feed("GET /v1/runs/a%20b?x=1&y=%2F HTTP/1.1\r\nHost: localhost\r\nACCEPT: a\r\n"
                        "Accept: b\r\n\r\n"),
            state::complete);
  const auto asked = reader.take();
  EXPECT_EQ(asked.method, "GET");
  EXPECT_EQ(asked.path, "/v1/runs/a%20b");
  EXPECT_EQ(asked.query, "x=1&y=%2F");
  EXPECT_EQ(asked.version, http_version::v1_1);
  EXPECT_EQ(asked.first("host"), "localhost");
  EXPECT_EQ(asked.joined("accept"), "a, b");
  EXPECT_EQ(asked.parameter("y"), "/");
  EXPECT_FALSE(asked.parameter("z"));
}

TEST(HeadReader, AHeadCutAtEveryByteComesOutTheSame) {
  const std::string head{"HEAD /x?q HTTP/1.0\r\nHost: localhost\r\nA: b\r\n\r\n"};
  for (std::size_t cut = 0; cut < head.size(); ++cut) {
    head_reader reader;
    EXPECT_EQ(reader.feed(head.substr(0, cut)), state::incomplete);
    ASSERT_EQ(reader.feed(head.substr(cut)), state::complete) << cut;
    const auto asked = reader.take();
    EXPECT_EQ(asked.target, "/x?q");
    EXPECT_EQ(asked.headers.size(), 2U);
  }
}

TEST(HeadReader, WhatFollowsAHeadIsTheNextRequest) {
  head_reader reader;
  ASSERT_EQ(reader.feed("GET /1 HTTP/1.1\r\n\r\n\r\nGET /2 HTTP/1.1\r\n\r\nrest"), state::complete);
  EXPECT_EQ(reader.take().path, "/1");
  ASSERT_EQ(reader.feed({}), state::complete);
  EXPECT_EQ(reader.take().path, "/2");
  EXPECT_EQ(reader.take_rest(), "rest");
  EXPECT_TRUE(reader.empty());
}

TEST(HeadReader, AnAbsoluteTargetMustNameTheHost) {
  head_reader reader;
  ASSERT_EQ(reader.feed("GET http://localhost/p?q HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            state::complete);
  EXPECT_EQ(reader.take().path, "/p");
  EXPECT_EQ(reader.feed("GET http://evil.example/p HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            state::bad);
}

struct refused {
  int status;
  std::string head;
};

TEST(HeadReader, RefusesWhatIsNoHead) {
  using namespace std::string_literals;
  const refused table[] = {
      {400, "GET / \r\n"},  // no version: at once, not after the time for heads
      {400, "GET /\r\n"},
      {400, "GET / HTTP/1.1\n"},
      {505, "GET / HTTP/2.0\r\n"},
      {505, "PRI * HTTP/2.0\r\n"},
      {400, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n"s},  // a TLS hello
      {400, "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost : a\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n"s},
      {400, "GET / HTTP/1.1\r\nno colon\r\n\r\n"},
      {400, "GET  / HTTP/1.1\r\n\r\n"},
      {400, "G\x01T / HTTP/1.1\r\n\r\n"},
      {400, "GET x HTTP/1.1\r\n\r\n"},
      {400, "GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"},
      {414, "GET /" + std::string(limits::header_bytes, 'x')},
      {431, "GET / HTTP/1.1\r\nA: " + std::string(limits::header_bytes, 'x')},
      {431, "GET / HTTP/1.1\r\nA: " + std::string(limits::header_bytes, 'x') + "\r\n\r\n"},
      {431,
       [] {
         std::string head{"GET / HTTP/1.1\r\n"};
         for (int i = 0; i < 1000; ++i) head += "A: b\r\n";
         return head + "\r\n";
       }()},
  };
  for (const auto& one : table) {
    head_reader reader;
    ASSERT_EQ(reader.feed(one.head), state::bad) << one.head.substr(0, 60);
    EXPECT_EQ(reader.error().status, one.status) << one.head.substr(0, 60);
  }
}

TEST(HeadReader, ALongHeadWithinTheLimitPasses) {
  head_reader reader;
  EXPECT_EQ(reader.feed("GET /" + std::string(9000, 'x') + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            state::complete);
}

}  // namespace
}  // namespace tofud::http
