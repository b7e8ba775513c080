// Connections on the Unix socket that are no HTTP.
#include "daemon/http/raw_stream.hpp"

#include "daemon/http/limits.hpp"
#include "tests/http/loopback.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sys/socket.h>
#include <sys/wait.h>

namespace tofud::http {
namespace {

using namespace std::chrono_literals;
using tests::client;
using tests::get_request;

TEST(FirstBytes, RequestBeginsWithMethodBlankSlash) {
  for (const auto* text : {"GET /", "PATCH /v1", "X / nonsense", "POST //"})
    EXPECT_EQ(judge_first_bytes(text), first_bytes::http) << text;
  for (const auto* text :
       {"{", "{\"tofud\":", " GET /", "\r\n", "\n", "get /", "GET\t/", "GET  /", "GET http://x/",
        "OPTIONS *", "ERROR: no", "G3T /", "AAAAAAAAAAAAAAAAAAAAAA", "\x16\x03\x01"})
    EXPECT_EQ(judge_first_bytes(text), first_bytes::raw) << text;
  for (const auto* text : {"", "G", "GET", "GET "})
    EXPECT_EQ(judge_first_bytes(text), first_bytes::too_few) << text;
}

TEST(FirstBytes, BraceIsDecidedAtOnce) { EXPECT_EQ(judge_first_bytes("{"), first_bytes::raw); }

struct seen {
  std::string bytes;
  bool ended = false, broken = false, destroyed = false;
  std::optional<response> refuses;
  response answer = [] {
    response taken;
    taken.status = 201;
    taken.body = "{\"run\":\"R\"}\n";
    return taken;
  }();
};

class recording_taker : public body_taker {
 public:
  explicit recording_taker(std::shared_ptr<seen> into) : into_{std::move(into)} {}
  ~recording_taker() override { into_->destroyed = true; }
  void take(std::string bytes, std::function<void(std::optional<response>)> next) override {
    into_->bytes += bytes;
    next(std::exchange(into_->refuses, std::nullopt));
  }
  void end(std::function<void(response)> answer) override {
    into_->ended = true;
    answer(into_->answer);
  }
  void broken() noexcept override { into_->broken = true; }

 private:
  std::shared_ptr<seen> into_;
};

class RawStreams : public testing::Test {
 protected:
  explicit RawStreams(listener_options options = {})
      : path_{directory_ / "tofud.sock"}, listener_{io_, routes_, options} {
    routes_.get("/hello", [](const request&) {
      response answer;
      answer.body = "hello\n";
      return answer;
    });
    const auto bound = listener_.bind_local(path_);
    if (!bound) throw std::runtime_error{bound.error().message};
    listener_.on_raw([this](const peer&) -> std::unique_ptr<body_taker> {
      if (nobody_) throw std::runtime_error{"no room"};
      return std::make_unique<recording_taker>(stream_);
    });
    listener_.start();
  }
  bool until(const std::function<bool()>& happened) { return tests::wait_until(io_, happened); }
  void pass(std::chrono::milliseconds time) {
    const auto later = std::chrono::steady_clock::now() + time;
    ASSERT_TRUE(until([&] { return std::chrono::steady_clock::now() > later; }));
  }

  tests::scratch_directory directory_;
  std::string path_;
  boost::asio::io_context io_{1};
  router routes_;
  listener listener_;
  std::shared_ptr<seen> stream_ = std::make_shared<seen>();
  bool nobody_ = false;
};

/// Shorter than any pause of a person.
struct ImpatientRawStreams : RawStreams {
  static listener_options options() {
    listener_options chosen;
    chosen.header_time = 40ms;
    chosen.idle_time = 40ms;
    chosen.sweep = 5ms;
    return chosen;
  }
  ImpatientRawStreams() : RawStreams{options()} {}
};

constexpr std::string_view lines{"{\"type\":\"version\"}\n{\"type\":\"log\"}\n"};

TEST_F(RawStreams, AreReadToTheEndWithoutAnAnswer) {
  client one{io_, path_};
  one.send(lines);
  ASSERT_TRUE(until([&] { return stream_->bytes == lines; }));
  EXPECT_FALSE(stream_->ended);
  one.end_of_requests();
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(one.got(), "");
  EXPECT_TRUE(stream_->ended && stream_->destroyed && !stream_->broken);
  EXPECT_TRUE(until([&] { return listener_.connections() == 0; }));
}

TEST_F(RawStreams, AWriterThatClosesAtOnceLosesNothing) {
  std::string large;
  while (large.size() < 150'000) large += lines;
  {
    client one{io_, path_};
    one.send(large);
  }
  ASSERT_TRUE(until([&] { return stream_->destroyed; }));
  EXPECT_EQ(stream_->bytes, large);
  EXPECT_TRUE(stream_->ended && !stream_->broken);
}

TEST_F(RawStreams, CutAtEveryByteAreTheSame) {
  const std::string text{"VERSION {\n" + std::string{lines}};
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    *stream_ = {};
    client one{io_, path_};
    one.send(text.substr(0, cut));
    io_.restart();
    io_.poll();
    one.send(text.substr(cut));
    one.end_of_requests();
    ASSERT_TRUE(one.until_end());
    EXPECT_EQ(stream_->bytes, text) << cut;
    EXPECT_TRUE(stream_->ended) << cut;
  }
}

TEST_F(ImpatientRawStreams, MayPauseAtFirstAndInBetween) {
  client one{io_, path_};
  pass(100ms);
  one.send("{");
  ASSERT_TRUE(until([&] { return stream_->bytes == "{"; }));
  pass(100ms);
  one.send("}\n");
  one.end_of_requests();
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(stream_->bytes, "{}\n");
  EXPECT_TRUE(stream_->ended);
}

TEST_F(ImpatientRawStreams, AShortStreamOfCapitalLettersIsNoRequest) {
  for (const bool ends : {true, false}) {
    *stream_ = {};
    client one{io_, path_};
    one.send("WAIT");
    if (ends) one.end_of_requests();
    ASSERT_TRUE(until([&] { return stream_->bytes == "WAIT"; }));
    one.end_of_requests();
    ASSERT_TRUE(one.until_end());
    EXPECT_TRUE(stream_->ended);
  }
}

TEST_F(RawStreams, AConnectionWithoutBytesIsNoStream) {
  {
    client one{io_, path_};
    ASSERT_TRUE(until([&] { return listener_.connections() == 1; }));
  }
  ASSERT_TRUE(until([&] { return listener_.connections() == 0; }));
  EXPECT_FALSE(stream_->destroyed);
}

TEST_F(RawStreams, RequestsAreAnsweredBesideThem) {
  client raw{io_, path_};
  raw.send(lines);
  client one{io_, path_};
  one.send("GET");
  io_.restart();
  io_.poll();
  one.send(" ");
  io_.restart();
  io_.poll();
  one.send("/hello HTTP/1.1\r\n\r\n" + get_request("/hello", "Connection: close\r\n"));
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(one.status(), 200);
  EXPECT_NE(one.got().find("hello\n"), one.got().rfind("hello\n"));
  EXPECT_EQ(stream_->bytes, lines);
}

TEST_F(RawStreams, ARefusalIsALineAndTheRestIsReadAllTheSame) {
  stream_->refuses = problem(507, "the disk is full:\nno history");
  client one{io_, path_};
  one.send(lines);
  ASSERT_TRUE(one.until_got("\n"));
  EXPECT_EQ(one.got(), "the disk is full: no history\n");
  EXPECT_TRUE(stream_->destroyed && !stream_->ended);
  // Who writes it may be an apply: it must not meet a closed pipe.
  const std::string block(100'000, 'x');
  std::size_t sent = 0;
  ASSERT_TRUE(one.until([&] {
    const auto size = ::send(one.fd(), block.data(), block.size(), MSG_NOSIGNAL);
    if (size > 0) sent += static_cast<std::size_t>(size);
    return sent > 3 * limits::discarded_bytes;
  }));
  EXPECT_FALSE(one.ended());
  one.end_of_requests();
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(stream_->bytes, lines);
}

TEST_F(RawStreams, ARefusalAtTheEndIsALine) {
  stream_->answer = problem(409, "this was no stream");
  client one{io_, path_};
  one.send(lines);
  one.end_of_requests();
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(one.got(), "this was no stream\n");
}

TEST_F(RawStreams, RefusedStreamIsAnsweredAndReadToItsEnd) {
  nobody_ = true;
  client one{io_, path_};
  one.send(lines);
  ASSERT_TRUE(one.until_got("\n"));
  EXPECT_EQ(one.got().find("no room"), std::string::npos);
  one.send(lines);
  one.end_of_requests();
  ASSERT_TRUE(one.until_end());
}

TEST_F(RawStreams, AWriterThatDoesNotReadTheRefusalBreaksNothing) {
  stream_->refuses = problem(507, "the disk is full");
  {
    client one{io_, path_};
    one.send(lines);
  }
  ASSERT_TRUE(until([&] { return stream_->destroyed; }));
  EXPECT_TRUE(until([&] { return listener_.connections() == 0; }));
}

TEST_F(RawStreams, CutStreamIsBroken) {
  client one{io_, path_};
  one.send(lines);
  ASSERT_TRUE(until([&] { return stream_->bytes == lines; }));
  listener_.close();
  listener_.cut_bodies();
  ASSERT_TRUE(one.until_end());
  EXPECT_TRUE(stream_->broken && stream_->destroyed && !stream_->ended);
}

}  // namespace
}  // namespace tofud::http
