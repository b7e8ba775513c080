// Many subscribers at once.
#include "tests/fanout/sessions.hpp"

#include <iostream>
#include <malloc.h>
#include <random>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tofud::tests {
namespace {

TEST_F(Sessions, ClientsThatComeAndGoAtRandomLeaveNothingBehind) {
  for (int i = 0; i < 300; ++i) run_.add("row" + std::to_string(i), std::string(500, 'x'));
  std::minstd_rand random{7};
  std::vector<client> clients;
  for (int turn = 0; turn < 600; ++turn) {
    switch (random() % 6) {
      case 0:
        clients.push_back(websocket("run=R"));
        break;
      case 1:
        clients.push_back(stream("run=R"));
        break;
      case 2:
        clients.push_back(stream("run=R&end=close", "Accept: text/event-stream\r\n"));
        break;
      case 3:
        clients.push_back(websocket(random() % 2 ? "run=none" : "run=R&addr=row1*"));
        break;
      default:
        if (clients.empty()) break;
        std::swap(clients[random() % clients.size()], clients.back());
        if (random() % 3 == 0) clients.back().send(masked_frame(0x88, ""));
        clients.pop_back();
    }
    run_.change(static_cast<feed::row_number>(random() % 300), std::to_string(turn));
    changed();
    io_.restart();
    io_.poll();
    if (!clients.empty() && random() % 2) clients[random() % clients.size()].receive();
  }
  clients.clear();
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0 && listener_->connections() == 0; }));
}

TEST_F(Sessions, TheLoopMayEndWithSubscribersConnected) {
  run_.add("a");
  std::vector<client> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(i % 2 ? websocket("run=R") : stream("run=R"));
    io_.poll();
  }
  ASSERT_TRUE(settle([&] { return hub_.subscribers() > 20; }));
  run_.change(0, "in flight");
  changed();
}

TEST_F(Sessions, TwoThousandIdleSubscribersAreCheap) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  constexpr std::size_t many = 2000;
  if (files.rlim_cur < 2 * many + 100) GTEST_SKIP() << "only " << files.rlim_cur << " descriptors";
  run_.add("a");
  auto first = websocket("run=R");
  ASSERT_TRUE(first.until_got("\"live\":true"));
  std::vector<int> clients;
  clients.reserve(many);
  const auto before = ::mallinfo2().uordblks;
  for (std::size_t i = 0; i < many; ++i) {
    client one{io_, port_};
    one.send(upgrade_request("/v1/stream?run=R"));
    clients.push_back(::dup(one.fd()));  // just the descriptor: the client's memory is not measured
    io_.restart();
    io_.poll();
  }
  ASSERT_TRUE(settle([&] { return hub_.subscribers() == many + 1; }));
  io_.restart();
  io_.poll();
  const auto each = (::mallinfo2().uordblks - before) / many;
  std::cout << each << " bytes of heap per idle WebSocket subscriber\n";
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(each, 10U * 1024);
#endif
  for (const int fd : clients) ::close(fd);
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 1; }));
}

}  // namespace
}  // namespace tofud::tests
