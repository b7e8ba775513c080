// The Unix socket: its file, who may use it, and what differs from TCP.
#include "daemon/fanout/hub.hpp"
#include "daemon/http/listener.hpp"
#include "tests/fanout/fake_run.hpp"
#include "tests/http/feed_route.hpp"
#include "tests/http/loopback.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>

namespace tofud::http {
namespace {

using namespace std::chrono_literals;
using tests::client;
using tests::get_request;
using tests::scratch_directory;

mode_t mode_of(const std::string& path) {
  struct stat there {};
  return ::lstat(path.c_str(), &there) == 0 ? there.st_mode : 0;
}

class LocalSocket : public testing::Test {
 protected:
  LocalSocket() : path_{directory_ / "tofud/tofud.sock"} {
    routes_.get("/via", [](const request& asked) {
      response answer;
      answer.body = asked.via == transport::local ? "local\n" : "tcp\n";
      return answer;
    });
    routes_.take_whole(
        "POST", "/echo", 10'000'000,
        [](const request&, std::string body, const std::function<void(response)>& answer) {
          response echo;
          echo.body = std::move(body);
          answer(std::move(echo));
        });
  }

  tests::scratch_directory directory_;
  std::string path_;
  boost::asio::io_context io_{1};
  router routes_;
};

TEST_F(LocalSocket, IsMadeWithItsDirectoryForTheOwnUserOnly) {
  listener listening{io_, routes_};
  ASSERT_TRUE(listening.bind_local(path_));
  EXPECT_EQ(mode_of(path_), S_IFSOCK | 0600U);
  EXPECT_EQ(mode_of(directory_ / "tofud"), S_IFDIR | 0700U);
}

TEST_F(LocalSocket, BothSocketsLeadToTheSameRoutes) {
  listener listening{io_, routes_};
  ASSERT_TRUE(listening.bind_local(path_));
  const auto bound = listening.bind(*parse_listen_address("127.0.0.1:0"));
  ASSERT_TRUE(bound);
  listening.start();
  client local{io_, path_}, tcp{io_, bound->port()};
  local.send(get_request("/via"));
  tcp.send(get_request("/via"));
  EXPECT_TRUE(local.until_got("local\n"));
  EXPECT_TRUE(tcp.until_got("tcp\n"));
  EXPECT_EQ(listening.connections(), 2U);
}

TEST_F(LocalSocket, MayBeTheOnlyOne) {
  listener listening{io_, routes_};
  ASSERT_TRUE(listening.bind_local(path_));
  listening.start();
  client one{io_, path_};
  const std::string large(5'000'000, 'x');
  one.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n");
  std::size_t sent = 0;
  ASSERT_TRUE(one.until([&] {
    const auto size = ::send(one.fd(), large.data() + sent, large.size() - sent, MSG_NOSIGNAL);
    if (size > 0) sent += static_cast<std::size_t>(size);
    return one.after_head().size() == large.size();
  }));
  EXPECT_EQ(one.after_head(), large);
}

TEST_F(LocalSocket, TheOriginIsCheckedAndTheHostIsNot) {
  listener listening{io_, routes_};
  ASSERT_TRUE(listening.bind_local(path_));
  listening.start();
  for (const auto* head : {"", "Host: whatever.example\r\n"}) {
    client one{io_, path_};
    one.send("GET /via HTTP/1.1\r\n" + std::string{head} + "\r\n");
    EXPECT_TRUE(one.until_got("local\n"));
  }
  for (const auto* header :
       {"Origin: http://evil.example\r\n", "Origin: http://localhost\r\n",
        "Origin: http://localhost:0\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"}) {
    client one{io_, path_};
    one.send(get_request("/via", header));
    ASSERT_TRUE(one.until_got("HTTP/1.1 403")) << header;
  }
}

TEST_F(LocalSocket, TheFeedIsServedOnItToo) {
  fanout::fake_run run;
  fanout::hub hub{io_, {}};
  hub.offer("R", run.log);
  run.add("a");
  routes_.get_stream("/v1/stream", tests::feed_route(hub));
  listener listening{io_, routes_};
  ASSERT_TRUE(listening.bind_local(path_));
  listening.start();
  client ws{io_, path_}, lines{io_, path_}, events{io_, path_};
  ws.send(tests::upgrade_request("/v1/stream?run=R"));
  lines.send(get_request("/v1/stream?run=R"));
  events.send(get_request("/v1/stream?run=R", "Accept: text/event-stream\r\n"));
  for (auto* one : {&ws, &lines, &events}) ASSERT_TRUE(one->until_got("\"live\":true"));
  for (int i = 0; i < 3000; ++i) run.add("row" + std::to_string(i), std::string(1000, 'x'));
  run.log.publish();
  for (auto* one : {&ws, &lines, &events})
    ASSERT_TRUE(one->until_got("\"seq\":" + std::to_string(run.seq) + "}\n"));
  EXPECT_EQ(tests::text_of(tests::frames(ws.after_head())),
            tests::unchunked(lines.after_head()).bytes);
  ws.hang_up();
  lines.hang_up();
  events.hang_up();
  EXPECT_TRUE(tests::wait_until(io_, [&] { return hub.subscribers() == 0; }));
}

TEST_F(LocalSocket, AStalledSubscriberOnItIsFoundToo) {
  fanout::fake_run run;
  fanout::hub_options options;
  options.sweep = 5ms;
  options.stalled_after = 100ms;
  options.close_time = 50ms;
  fanout::hub hub{io_, options};
  hub.offer("R", run.log);
  for (int i = 0; i < 5000; ++i) run.add("row" + std::to_string(i), std::string(1000, 'x'));
  routes_.get_stream("/v1/stream", tests::feed_route(hub));
  listener listening{io_, routes_};
  ASSERT_TRUE(listening.bind_local(path_));
  listening.start();
  client ws{io_, path_}, lines{io_, path_};
  ws.send(tests::upgrade_request("/v1/stream?run=R"));
  lines.send(get_request("/v1/stream?run=R"));
  ASSERT_TRUE(tests::wait_until(io_, [&] { return hub.subscribers() == 2; }));
  EXPECT_TRUE(tests::wait_until(io_, [&] { return hub.subscribers() == 0; }));
}

// ---- the file -----------------------------------------------------------------------------

TEST_F(LocalSocket, IsRemovedWhenItIsClosed) {
  listener listening{io_, routes_};
  ASSERT_TRUE(listening.bind_local(path_));
  listening.close();
  EXPECT_EQ(mode_of(path_), 0U);
}

TEST_F(LocalSocket, AnotherDaemonsSocketIsNotRemoved) {
  listener first{io_, routes_}, second{io_, routes_};
  ASSERT_TRUE(first.bind_local(path_));
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  ASSERT_TRUE(second.bind_local(path_));
  first.close();
  EXPECT_EQ(mode_of(path_), S_IFSOCK | 0600U);
  second.close();
  EXPECT_EQ(mode_of(path_), 0U);
}

TEST_F(LocalSocket, AbandonedSocketIsTakenOver) {
  const pid_t child = ::fork();
  if (child == 0) {  // ends without cleaning up
    boost::asio::io_context io{1};
    listener listening{io, routes_};
    ::_exit(listening.bind_local(path_) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_EQ(mode_of(path_), S_IFSOCK | 0600U);
  listener listening{io_, routes_};
  ASSERT_TRUE(listening.bind_local(path_));
  listening.start();
  client one{io_, path_};
  one.send(get_request("/via"));
  EXPECT_TRUE(one.until_got("local\n"));
}

TEST_F(LocalSocket, LiveSocketIsNotTakenOver) {
  listener first{io_, routes_}, second{io_, routes_};
  ASSERT_TRUE(first.bind_local(path_));
  const auto refused = second.bind_local(path_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "cannot listen on the Unix socket " + path_ +
                                         ": another process is already listening there");
  EXPECT_EQ(mode_of(path_), S_IFSOCK | 0600U);
}

TEST_F(LocalSocket, AFileThatIsNoSocketIsLeftAlone) {
  const std::string path = directory_ / "file";
  std::ofstream{path} << "precious";
  listener listening{io_, routes_};
  const auto refused = listening.bind_local(path);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("not a socket"), std::string::npos);
  std::string text;
  std::getline(std::ifstream{path}, text);
  EXPECT_EQ(text, "precious");
}

TEST_F(LocalSocket, AnInvalidPathIsAnErrorWithASentence) {
  listener listening{io_, routes_};
  for (const auto& path : {std::string{}, directory_ / "", directory_ / "no/such/directory/s",
                           directory_ / std::string(200, 'x')}) {
    const auto refused = listening.bind_local(path);
    ASSERT_FALSE(refused) << path;
    EXPECT_GT(refused.error().message.size(), 40U) << path;
  }
}

}  // namespace
}  // namespace tofud::http
