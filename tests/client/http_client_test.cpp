// Requests over a real socket, to daemons good and bad.
#include "daemon/client/http_client.hpp"

#include "daemon/net/limits.hpp"
#include "tests/client/canned_daemon.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gtest/gtest.h>

#include <deque>

namespace tofud::client {
namespace {

using namespace std::chrono_literals;

class Connecting : public testing::Test {
 protected:
  answered exchange(request asked) {
    answered got = failure{};
    bool done = false;
    client_->exchange(std::move(asked), [&](answered answer) {
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
  static constexpr std::size_t most = 64 * limits::kib;
  static constexpr patience waits{60s, 60s, patience::counts::whole, most};
  std::unique_ptr<http_client> client_ =
      std::make_unique<http_client>(io_, daemon_.address(), waits);
};

constexpr const char* stored = "HTTP/1.1 204 No Content\r\nUpload-Offset: 8\r\n\r\n";

TEST_F(Connecting, CarriesARequestAndItsAnswer) {
  answers_ = {
      "HTTP/1.1 409 Conflict\r\nupload-offset: 8\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\n{}"};
  const auto answer = exchange(patch("hello"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 409u);
  EXPECT_EQ(answer->first("Upload-Offset"), "8");
  EXPECT_EQ(answer->first("retry-after"), "3");
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
  EXPECT_EQ(answer->first("Upload-Complete"), "?1");
  EXPECT_TRUE(exchange(patch("")));
  EXPECT_EQ(daemon_.connections(), 1);
}

TEST_F(Connecting, ReconnectsWhenTheDaemonHasClosedMeanwhile) {
  answers_ = {stored, stored};
  EXPECT_TRUE(exchange(patch("hello")));
  daemon_.hang_up();
  EXPECT_TRUE(exchange(patch("hello")));
  EXPECT_EQ(daemon_.connections(), 2);
}

TEST_F(Connecting, ReadsAnAnswerAfterWhichTheDaemonCloses) {
  answers_ = {"HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 4\r\n\r\nwho?"};
  const auto answer = exchange(patch("hello"));
  ASSERT_TRUE(answer) << answer.error().sentence;
  EXPECT_EQ(answer->status, 401U);
  EXPECT_EQ(answer->body, "who?");
}

TEST_F(Connecting, ReconnectsWhenTheDaemonAnnouncesItsClose) {
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
              "HTTP/1.1 200 OK\r\n\r\n" + std::string(2 * most, 'x'), stored};
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(exchange(patch("hello"))) << i;
  EXPECT_TRUE(exchange(patch("hello")));
}

TEST_F(Connecting, AServerThatNeverAnswersTimesOut) {
  client_ = std::make_unique<http_client>(io_, daemon_.address(), patience{60s, 50ms});
  answers_ = {"", stored};
  EXPECT_FALSE(exchange(patch("hello")));
  client_ = std::make_unique<http_client>(io_, daemon_.address(), waits);
  EXPECT_TRUE(exchange(patch("hello")));
}

TEST_F(Connecting, ARefusedConnectionIsNoAnswer) {
  place nowhere;
  nowhere.socket = nowhere.shown = "/nowhere/at/all.sock";
  client_ = std::make_unique<http_client>(io_, nowhere);
  const auto answer = exchange(patch("hello"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what, trouble::absent);
  EXPECT_NE(answer.error().sentence.find("/nowhere/at/all.sock"), std::string::npos);
}

net::task<void> stream(http_client& from, std::vector<std::string>& got) {
  auto beginning = from.begin({"GET", "/v1/runs/r/stream.jsonl"});
  const auto status = co_await std::move(beginning);
  EXPECT_EQ(*status, 200U);
  std::string room(3, ' ');
  for (;;) {
    auto reading = from.read(room);
    const auto count = co_await std::move(reading);
    EXPECT_TRUE(count);
    if (!count || *count == 0) co_return;
    got.push_back(room.substr(0, *count));
  }
}

TEST_F(Connecting, GivesABodyAsItComes) {
  answers_ = {
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n",
      stored};
  std::vector<std::string> got;
  bool over = false;
  boost::asio::co_spawn(io_, stream(*client_, got),
                        [&](const std::exception_ptr&) { over = true; });
  while (!over && io_.run_one_for(60s) > 0) {
  }
  std::string all;
  for (const std::string& each : got) {
    EXPECT_LE(each.size(), 3U);
    all += each;
  }
  EXPECT_EQ(all, "abcdef");
  EXPECT_TRUE(exchange(patch("hello")));  // on the same connection
  EXPECT_EQ(daemon_.connections(), 1);
}

TEST_F(Connecting, AStreamOutlivesTheTimeThatConnectingMayTake) {
  constexpr auto connecting = 20ms;
  client_ = std::make_unique<http_client>(
      io_, daemon_.address(), patience{connecting, 0ms, patience::counts::each_piece, most});
  answers_ = {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"};
  std::vector<std::string> got;
  bool over = false;
  boost::asio::co_spawn(io_, stream(*client_, got),
                        [&](const std::exception_ptr&) { over = true; });
  while (got.empty() && io_.run_one_for(60s) > 0) {
  }
  // Whatever would end it by then has ended it.
  boost::asio::steady_timer later{io_, 5 * connecting};
  bool passed = false;
  later.async_wait([&](boost::system::error_code) {
    passed = true;
    daemon_.say("2\r\ncd\r\n0\r\n\r\n");
  });
  while (!over && io_.run_one_for(60s) > 0) {
  }
  EXPECT_TRUE(passed);
  EXPECT_EQ(got, (std::vector<std::string>{"ab", "cd"}));
}

TEST_F(Connecting, FailuresAreSentences) {
  answers_ = {std::nullopt, "SSH-2.0\r\n\r\n",
              "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"};
  for (const auto& [what, sentence] : {std::pair{trouble::other_server, "does not speak HTTP"},
                                       std::pair{trouble::other_server, "does not speak HTTP"},
                                       std::pair{trouble::refused, "longer than"}}) {
    const auto answer = exchange(patch("hello"));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().what, what) << answer.error().sentence;
    EXPECT_NE(answer.error().sentence.find(sentence), std::string::npos) << answer.error().sentence;
  }
}

TEST_F(Connecting, MayBeLeftWhileAnAnswerIsAwaited) {
  answers_ = {""};
  bool told = false;
  client_->exchange(patch("hello"), [&](const answered&) { told = true; });
  while (heads_.empty() && io_.run_one_for(60s) > 0) {
  }
  client_.reset();
  io_.poll();
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace tofud::client
