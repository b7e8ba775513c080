// Subscribers that read slowly, say nothing or do not go: nobody waits for them.
#include "daemon/fanout/limits.hpp"
#include "tests/fanout/sessions.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::tests {
namespace {

using namespace std::chrono_literals;

TEST_F(Sessions, ASlowReaderDelaysNobodyAndCostsACursor) {
  for (int i = 0; i < 200; ++i) run_.add("row" + std::to_string(i));
  std::vector<client> stalled;
  for (int i = 0; i < 20; ++i) {
    stalled.emplace_back(io_, port_, client::receive_buffer::small);
    stalled.back().send(upgrade_request("/v1/stream?run=R"));
  }
  auto reader = websocket("run=R");
  ASSERT_TRUE(reader.until_got("\"live\":true"));
  ASSERT_TRUE(settle([&] { return hub_.subscribers() == 21; }));
  const auto resident = [] {
    std::ifstream statm{"/proc/self/statm"};
    long pages = 0;
    statm >> pages >> pages;
    return pages * sysconf(_SC_PAGESIZE) / 1024;
  };
  std::size_t received = 0;
  const auto rounds = [&](int count) {
    for (int round = 0; round < count; ++round) {
      for (int i = 0; i < 200; ++i)
        run_.change(static_cast<feed::row_number>(i), std::string(400, 'y'));
      changed();
      ASSERT_TRUE(reader.until_got("\"seq\":" + std::to_string(run_.seq) + "}\n"));
      received += reader.got().size();
      reader.forget();
    }
  };
  rounds(20);
  const auto before = resident();
  rounds(200);
  const auto grown = resident() - before;
  EXPECT_GT(received, 15U * 1024 * 1024);
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(grown, 4 * 1024);  // 20 queues would hold 300 MiB
#endif
  std::cout << received / 1024 << " KiB to the reader, " << grown << " KiB more memory\n";

  // One of them wakes up: some old bytes the kernel held, then the present.
  auto& late = stalled.front();
  ASSERT_TRUE(late.until_got("\"seq\":" + std::to_string(run_.seq) + "}\n"));
  EXPECT_LT(late.got().size(), 512U * 1024);
}

struct ShortLimits : Sessions {
  static fanout::hub_options options() {
    fanout::hub_options chosen;
    chosen.sweep = 5ms;
    chosen.stalled_after = 100ms;
    chosen.ping_after = 20ms;
    chosen.close_time = 50ms;
    return chosen;
  }
  ShortLimits() : Sessions{options()} {}
};

struct StalledSoon : Sessions {
  static fanout::hub_options options() {
    fanout::hub_options chosen;
    chosen.sweep = 5ms;
    chosen.stalled_after = 100ms;
    chosen.close_time = std::chrono::hours{1};
    return chosen;
  }
  StalledSoon() : Sessions{options()} {}
};

TEST_F(StalledSoon, AStalledSubscriberThatReadsAgainFindsA4008AtTheEnd) {
  for (int i = 0; i < 5000; ++i) run_.add("row" + std::to_string(i), std::string(1000, 'x'));
  int code = 0;
  bool whole = true;
  // A machine that stands still itself sees nobody stall: then once more, for longer.
  for (auto stops = 200ms; stops < 20s && (code == 0 || whole); stops *= 2) {
    client ws{io_, port_, client::receive_buffer::small};
    ws.send(upgrade_request("/v1/stream?run=R"));
    client lines{io_, port_, client::receive_buffer::small};
    lines.send(get_request("/v1/stream?run=R"));
    ASSERT_TRUE(settle([&] { return hub_.subscribers() == 2; }));
    const auto goes_on = std::chrono::steady_clock::now() + stops;
    settle([&] { return std::chrono::steady_clock::now() > goes_on; });
    EXPECT_EQ(hub_.subscribers(), 2U);
    const auto closed = [&] { return close_of(frames(ws.after_head())).code != 0; };
    ASSERT_TRUE(ws.until([&] { return closed() || ws.got().ends_with("\"live\":true}\n"); }));
    code = close_of(frames(ws.after_head())).code;
    ASSERT_TRUE(lines.until(
        [&] { return lines.ended() || lines.got().ends_with("\"live\":true}\n\r\n"); }));
    whole = !lines.ended() || unchunked(lines.after_head()).complete;
    ws.hang_up();
    lines.hang_up();
    ASSERT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
  }
  EXPECT_EQ(code, 4008);
  EXPECT_FALSE(whole);  // a body that ended well would look like the end of the run
}

TEST_F(ShortLimits, AStalledSubscriberIsDropped) {
  for (int i = 0; i < 5000; ++i) run_.add("row" + std::to_string(i), std::string(1000, 'x'));
  client ws{io_, port_, client::receive_buffer::small};
  ws.send(upgrade_request("/v1/stream?run=R"));
  client lines{io_, port_, client::receive_buffer::small};
  lines.send(get_request("/v1/stream?run=R"));
  ASSERT_TRUE(settle([&] { return hub_.subscribers() == 2; }));
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_F(ShortLimits, ASilentWebSocketIsPingedThenDropped) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_end());
  int pings = 0;
  for (const auto& frame : frames(one.after_head())) pings += frame.opcode == 9 ? 1 : 0;
  EXPECT_EQ(pings, limits::missed_pings);
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_F(ShortLimits, AWebSocketThatAnswersPingsStays) {
  auto one = websocket("run=R");
  std::size_t answered = 0;
  ASSERT_TRUE(one.until([&] {
    std::size_t pings = 0;
    for (const auto& frame : frames(one.after_head())) pings += frame.opcode == 9 ? 1 : 0;
    for (; answered < pings; ++answered) one.send(masked_frame(0x8A, ""));
    return answered >= 5;
  }));
  EXPECT_EQ(hub_.subscribers(), 1U);
}

TEST_F(ShortLimits, AnEventStreamStaysWithoutPongs) {
  auto lines = stream("run=R");
  auto events = stream("run=R", "Accept: text/event-stream\r\n");
  ASSERT_TRUE(lines.until_got("\"live\":true"));
  ASSERT_TRUE(events.until_got("\"live\":true"));
  // A WebSocket that never answers is dropped after as long a silence.
  ASSERT_TRUE(websocket("run=R").until_end());
  ASSERT_TRUE(websocket("run=R").until_end());
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 2; }));
}

TEST_F(ShortLimits, ClientThatIgnoresACloseIsDropped) {
  auto one = websocket("run=other");
  EXPECT_TRUE(one.until_got("\"code\":4404"));
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0 && listener_->connections() == 0; }));
}

TEST_F(ShortLimits, ClientThatClosesAndStaysConnectedIsDropped) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(masked_frame(0x88, "\x03\xE9"));
  EXPECT_TRUE(one.until_end());
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_F(ShortLimits, ClientThatBreaksTheProtocolAndStaysIsDropped) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(masked_frame(0xF1, "reserved bits"));
  EXPECT_TRUE(one.until_end());
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

struct QuickHeartbeats : Sessions {
  static fanout::hub_options options() {
    fanout::hub_options chosen;
    chosen.sweep = 2ms;
    chosen.heartbeat = 10ms;
    return chosen;
  }
  QuickHeartbeats() : Sessions{options()} {}
};

TEST_F(QuickHeartbeats, EveryTransportGetsThemWithItsPosition) {
  run_.add("a");
  auto ws = websocket("run=R");
  auto lines = stream("run=R");
  auto events = stream("run=R", "Accept: text/event-stream\r\n");
  for (auto* one : {&ws, &lines, &events}) {
    ASSERT_TRUE(one->until_got("{\"kind\":\"heartbeat\",\"now\":\""));
    ASSERT_TRUE(one->until_got("Z\",\"at\":1}"));
  }
  run_.change(0, "later");
  changed();
  for (auto* one : {&ws, &lines, &events}) ASSERT_TRUE(one->until_got("Z\",\"at\":2}"));
}

struct QuickSweeps : Sessions {
  static fanout::hub_options options() {
    fanout::hub_options chosen;
    chosen.sweep = 2ms;
    return chosen;
  }
  QuickSweeps() : Sessions{options()} {}
};

TEST_F(QuickSweeps, WhoIsThereAndWhoComesIsToldThatOtherDaemonsAreAway) {
  run_.add("a");
  auto ws = websocket("run=R");
  auto events = stream("run=R", "Accept: text/event-stream\r\n");
  for (auto* one : {&ws, &events}) ASSERT_TRUE(one->until_got("\"live\":true"));
  hub_.set_not_current("NATS is away");
  for (auto* one : {&ws, &events})
    ASSERT_TRUE(one->until_got("Z\",\"at\":1,\"not_current\":\"NATS is away\"}"));
  auto late = stream("run=R");
  ASSERT_TRUE(late.until_got("\"heartbeat_ms\":15000,\"not_current\":\"NATS is away\"}"));
  ASSERT_TRUE(late.until_got("\"live\":true"));
  hub_.set_not_current("");
  for (auto* one : {&ws, &events, &late}) ASSERT_TRUE(one->until_got("Z\",\"at\":1}"));
}

/// Few frames a second, but any number in a minute.
class FewFrames : public Sessions {
 protected:
  static fanout::hub_options options() {
    fanout::hub_options chosen;
    chosen.client_frames_per_second = 20;
    return chosen;
  }
  FewFrames() : Sessions{options()} {}
};

TEST_F(FewFrames, TooManyPingsCloseAndAreCounted) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  std::string pings;
  for (int i = 0; i < 1000; ++i) pings += masked_frame(0x89, "?");
  one.send(pings);
  ASSERT_TRUE(one.until([&] { return close_of(frames(one.after_head())).code != 0; }));
  EXPECT_EQ(close_of(frames(one.after_head())).code, 1008);
  EXPECT_EQ(hub_.counts().flooding, 1U);
  one.hang_up();
  ASSERT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
  EXPECT_EQ(hub_.counts().closed.at(1008), 1U);
}

TEST_F(FewFrames, AFewPingsAreAnswered) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  for (int i = 0; i < 20; ++i) one.send(masked_frame(0x89, "?"));
  ASSERT_TRUE(one.until([&] {
    const auto all = frames(one.after_head());
    return std::count_if(all.begin(), all.end(), [](const auto& f) { return f.opcode == 10; }) > 0;
  }));
  EXPECT_EQ(hub_.counts().flooding, 0U);
}

/// Who only listens may say little.
class FewWords : public Sessions {
 protected:
  static fanout::hub_options options() {
    fanout::hub_options chosen;
    chosen.client_message_bytes = 200;
    return chosen;
  }
  FewWords() : Sessions{options()} {}
};

TEST_F(FewWords, TooLongMessageClosesAndIsCounted) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(masked_frame(0x82, std::string(201, 'x')));
  ASSERT_TRUE(one.until([&] { return close_of(frames(one.after_head())).code != 0; }));
  EXPECT_EQ(close_of(frames(one.after_head())).code, 1009);
  one.hang_up();
  ASSERT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
  EXPECT_EQ(hub_.counts().long_messages, 1U);
  EXPECT_EQ(hub_.counts().closed.at(1009), 1U);
}

TEST_F(FewWords, AMessageWithinTheLimitClosesWith1003) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(masked_frame(0x82, std::string(200, 'x')));
  ASSERT_TRUE(one.until([&] { return close_of(frames(one.after_head())).code != 0; }));
  EXPECT_EQ(close_of(frames(one.after_head())).code, 1003);
  EXPECT_EQ(hub_.counts().long_messages, 0U);
}

TEST_F(FewWords, AnEventStreamEndsWhenItsClientSendsMore) {
  auto one = stream("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(std::string(200, 'x'));
  changed();
  EXPECT_EQ(hub_.subscribers(), 1U);
  one.send("x");
  ASSERT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
  EXPECT_EQ(hub_.counts().long_messages, 1U);
}

}  // namespace
}  // namespace tofud::tests
