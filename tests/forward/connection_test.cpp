// Requests over a real socket, to daemons good and bad.
#include "daemon/forward/connection.hpp"

#include "daemon/forward/limits.hpp"
#include "daemon/net/limits.hpp"
#include "tests/forward/canned_daemon.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace tofud::forward {
namespace {

using namespace std::chrono_literals;

class Connecting : public testing::Test {
 protected:
  std::optional<response> exchange(request asked) {
    std::optional<response> got;
    bool done = false;
    connection_->exchange(std::move(asked), [&](std::optional<response> answer) {
      got = std::move(answer);
      done = true;
    });
    EXPECT_FALSE(done);
    io_.restart();
    while (!done && io_.run_one_for(60s) > 0) {
    }
    EXPECT_TRUE(done);
    return got;
  }

  request patch(std::string body) {
    return {"PATCH", "/v1/runs/r/lines", {{"Upload-Offset", "3"}}, std::move(body)};
  }

  boost::asio::io_context io_{1};
  std::deque<std::optional<std::string>> answers_;
  std::vector<std::string> heads_, bodies_;
  tests::canned_daemon daemon_{io_, [this](const std::string& head, const std::string& body) {
                                 heads_.push_back(head);
                                 bodies_.push_back(body);
                                 auto answer = answers_.front();
                                 answers_.pop_front();
                                 return answer;
                               }};
  std::unique_ptr<connection> connection_ = std::make_unique<connection>(io_, daemon_.address());
};

constexpr const char* stored = "HTTP/1.1 204 No Content\r\nUpload-Offset: 8\r\n\r\n";

TEST_F(Connecting, CarriesARequestAndItsAnswer) {
  answers_ = {
      "HTTP/1.1 409 Conflict\r\nupload-offset: 8\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\n{}"};
  const auto answer = exchange(patch("hello"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 409u);
  EXPECT_EQ(answer->upload_offset, "8");
  EXPECT_EQ(answer->retry_after, "3");
  EXPECT_EQ(answer->body, "{}");
  EXPECT_EQ(bodies_.front(), "hello");
  EXPECT_TRUE(heads_.front().starts_with("PATCH /v1/runs/r/lines HTTP/1.1\r\nHost: localhost\r\n"));
  EXPECT_NE(heads_.front().find("Upload-Offset: 3\r\n"), std::string::npos);
}

TEST_F(Connecting, StaysOpenBetweenRequests) {
  answers_ = {stored, "HTTP/1.1 200 OK\r\nUpload-Offset: 8\r\nUpload-Complete: ?1\r\n\r\n", stored};
  EXPECT_TRUE(exchange(patch("hello")));
  const auto answer = exchange({"HEAD", "/v1/runs/r/lines", {}, ""});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->upload_complete, "?1");
  EXPECT_TRUE(exchange(patch("")));
  EXPECT_EQ(daemon_.connections(), 1);
}

TEST_F(Connecting, IsMadeAnewWhenTheDaemonHasHungUpMeanwhile) {
  answers_ = {stored, stored};
  EXPECT_TRUE(exchange(patch("hello")));
  daemon_.hang_up();
  EXPECT_TRUE(exchange(patch("hello")));
  EXPECT_EQ(daemon_.connections(), 2);
}

TEST_F(Connecting, IsMadeAnewWhenTheDaemonSaysThatItCloses) {
  answers_ = {"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", stored};
  EXPECT_TRUE(exchange(patch("hello")));
  EXPECT_TRUE(exchange(patch("hello")));
  EXPECT_EQ(daemon_.connections(), 2);
}

TEST_F(Connecting, AClosedConnectionIsNoAnswer) {
  answers_ = {std::nullopt, stored};
  EXPECT_FALSE(exchange(patch("hello")));
  EXPECT_TRUE(exchange(patch("hello")));
}

TEST_F(Connecting, GarbageIsNoAnswer) {
  answers_ = {"SSH-2.0-OpenSSH_9.2\r\n\r\n", stored};
  EXPECT_FALSE(exchange(patch("hello")));
  EXPECT_TRUE(exchange(patch("hello")));
}

TEST_F(Connecting, AnAnswerThatIsTooLongIsNone) {
  answers_ = {"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n",
              "HTTP/1.1 200 OK\r\nX: " + std::string(2 * limits::header_bytes, 'x') + "\r\n\r\n",
              "HTTP/1.1 200 OK\r\n\r\n" + std::string(2 * limits::answer_bytes, 'x'), stored};
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(exchange(patch("hello"))) << i;
  EXPECT_TRUE(exchange(patch("hello")));
}

TEST_F(Connecting, OneWhoTakesTheRequestAndSaysNothingIsGivenUp) {
  connection_ = std::make_unique<connection>(io_, daemon_.address(), patience{60s, 50ms});
  answers_ = {"", stored};
  EXPECT_FALSE(exchange(patch("hello")));
  connection_ = std::make_unique<connection>(io_, daemon_.address());
  EXPECT_TRUE(exchange(patch("hello")));
}

TEST_F(Connecting, NobodyThereIsNoAnswer) {
  connection_ = std::make_unique<connection>(
      io_, server_place{"/nowhere/at/all.sock", "", 0, "localhost", nullptr});
  EXPECT_FALSE(exchange(patch("hello")));
}

TEST_F(Connecting, MayBeLeftWhileAnAnswerIsAwaited) {
  answers_ = {""};
  bool told = false;
  connection_->exchange(patch("hello"), [&](std::optional<response>) { told = true; });
  while (heads_.empty() && io_.run_one_for(60s) > 0) {
  }
  connection_.reset();
  io_.poll();
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace tofud::forward
