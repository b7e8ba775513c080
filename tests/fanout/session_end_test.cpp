// The end of a run, of the daemon, of a topic: what its subscribers see of it.
#include "tests/fanout/sessions.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tofud::tests {
namespace {

using fanout::fake_run;
using namespace std::chrono_literals;

TEST_F(Sessions, EndCloseClosesAfterTheLastAt) {
  run_.add("a");
  auto ws = websocket("run=R&end=close");
  auto lines = stream("run=R&end=close");
  auto staying = websocket("run=R");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  ASSERT_TRUE(lines.until_got("\"live\":true"));
  ASSERT_TRUE(staying.until_got("\"live\":true"));
  run_.change(0, "last");
  run_.log.end();
  changed();
  ASSERT_TRUE(lines.until([&] { return unchunked(lines.after_head()).complete; }));
  ASSERT_TRUE(ws.until([&] { return close_of(frames(ws.after_head())).code != 0; }));
  EXPECT_EQ(without_hello(lines_of_websocket(ws)), "run=first, a=new, at 1 live, a=last, at 2");
  EXPECT_EQ(without_hello(lines_of_stream(lines)), "run=first, a=new, at 1 live, a=last, at 2");
  EXPECT_EQ(close_of(frames(ws.after_head())).code, 1000);
  ws.send(masked_frame(0x88, "\x03\xE8"));
  EXPECT_TRUE(ws.until_end());
  ws.hang_up();
  lines.hang_up();
  ASSERT_TRUE(staying.until_got("\"seq\":2}\n"));
  EXPECT_FALSE(staying.ended());
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 1; }));
}

TEST_F(Sessions, AClientThatIsClosedAndSendsABrokenFrameStillEnds) {
  auto ws = websocket("run=R&end=close");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  run_.log.end();
  changed();
  ASSERT_TRUE(ws.until([&] { return close_of(frames(ws.after_head())).code != 0; }));
  ws.send("\xFF\xFF\xFF\xFF");  // reserved bits and an opcode that is none
  EXPECT_TRUE(ws.until_end());
  ws.hang_up();
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_F(Sessions, BytesSentBeforeAClientReadsTheCloseDoNotHideIt) {
  auto ws = websocket("run=R&end=close");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  run_.log.end();
  ws.send(masked_frame(0x89, std::string(100, 'p')) + masked_frame(0x8A, "") +
          masked_frame(0x88, "\x03\xE8"));
  changed();
  ASSERT_TRUE(ws.until_end());
  EXPECT_EQ(close_of(frames(ws.after_head())).code, 1000);
  ws.hang_up();
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_F(Sessions, LateSubscriberGetsEverythingAndIsClosed) {
  run_.add("a");
  run_.log.end();
  changed();
  auto one = stream("run=R&end=close");
  ASSERT_TRUE(one.until([&] { return unchunked(one.after_head()).complete; }));
  EXPECT_EQ(without_hello(lines_of_stream(one)), "run=first, a=new, at 1 live");
}

TEST_F(Sessions, ABrowserThatReconnectsAfterTheEndGets204) {
  run_.add("a");
  run_.log.end();
  auto one = stream("run=R&end=close", "Accept: text/event-stream\r\nLast-Event-ID: E:1\r\n");
  ASSERT_TRUE(one.until_got("\r\n\r\n"));
  EXPECT_EQ(one.status(), 204);
}

TEST_F(Sessions, Http10GetsLinesUntilTheConnectionEnds) {
  run_.add("a");
  run_.log.end();
  client one{io_, port_};
  one.send("GET /v1/stream?run=R&end=close HTTP/1.0\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(one.got().find("chunked"), std::string::npos);
  EXPECT_EQ(without_hello(one.after_head()), "run=first, a=new, at 1 live");
}

TEST_F(Sessions, EndOfThePipeDeliversTheRestAndCloses) {
  auto ws = websocket("run=R");
  auto lines = stream("run=R");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  ASSERT_TRUE(lines.until_got("\"live\":true"));
  for (int i = 0; i < 300; ++i) run_.add("row" + std::to_string(i), std::string(1000, 'x'));
  run_.log.end();
  changed();
  bool done = false;
  hub_.finish({}, [&] { done = true; });
  ASSERT_TRUE(ws.until([&] {
    lines.receive();
    return close_of(frames(ws.after_head())).code != 0;
  }));
  ASSERT_TRUE(lines.until([&] { return unchunked(lines.after_head()).complete; }));
  EXPECT_EQ(close_of(frames(ws.after_head())).code, 1000);
  EXPECT_EQ(close_of(frames(ws.after_head())).reason, "run over");
  EXPECT_NE(lines_of_websocket(ws).find("{\"kind\":\"at\",\"seq\":300}\n"), std::string::npos);
  EXPECT_EQ(lines_of_websocket(ws), lines_of_stream(lines));
  ws.send(masked_frame(0x88, "\x03\xE8"));
  ws.hang_up();
  lines.hang_up();
  EXPECT_TRUE(settle([&] { return done; }));
  EXPECT_EQ(hub_.subscribers(), 0U);
}

TEST_F(Sessions, ASlowReaderDelaysTheEndOnlyUpToTheDeadline) {
  auto silent = websocket("run=R");  // never answers the close
  ASSERT_TRUE(silent.until_got("\"live\":true"));
  bool done = false;
  fanout::goodbye last;
  last.deadline = 50ms;
  hub_.finish(last, [&] { done = true; });
  EXPECT_TRUE(settle([&] { return done; }));
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_F(Sessions, ARestartTellsEachSubscriberWhenToComeBack) {
  auto ws = websocket("run=R");
  auto events = stream("run=R", "Accept: text/event-stream\r\n");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  ASSERT_TRUE(events.until_got("\"live\":true"));
  fanout::goodbye last;
  last.code = fanout::close_codes::restarting;
  last.then = fanout::goodbye::when::at_once;
  last.retry_spread = 5000ms;
  hub_.finish(last, nullptr);
  ASSERT_TRUE(ws.until([&] { return close_of(frames(ws.after_head())).code != 0; }));
  ASSERT_TRUE(events.until([&] { return unchunked(events.after_head()).complete; }));
  EXPECT_EQ(close_of(frames(ws.after_head())).code, 1012);
  EXPECT_TRUE(close_of(frames(ws.after_head())).reason.starts_with("retry_ms="));
  EXPECT_NE(unchunked(events.after_head()).bytes.find("\n\nretry: "), std::string::npos);
}

TEST_F(Sessions, ARunThatIsWithdrawnIsGone) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  hub_.withdraw("R");
  ASSERT_TRUE(one.until([&] { return close_of(frames(one.after_head())).code != 0; }));
  EXPECT_EQ(close_of(frames(one.after_head())).code, 4404);
  EXPECT_NE(one.got().find("{\"kind\":\"error\",\"code\":4404"), std::string::npos);
}

TEST_F(Sessions, ATopicIsWatchedFromTheRequestToTheEndOfItsLastSubscriber) {
  fake_run other;
  EXPECT_FALSE(run_.log.is_watched());
  EXPECT_FALSE(other.log.is_watched());
  for (const bool as_websocket : {true, false}) {
    auto one = as_websocket ? websocket("run=R") : stream("run=R");
    auto two = stream("run=R", "Accept: text/event-stream\r\n");
    ASSERT_TRUE(one.until_got("\"live\":true"));
    ASSERT_TRUE(two.until_got("\"live\":true"));
    EXPECT_TRUE(run_.log.is_watched());
    two.hang_up();
    ASSERT_TRUE(settle([&] { return hub_.subscribers() == 1; }));
    EXPECT_TRUE(run_.log.is_watched());
    one.hang_up();
    ASSERT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
    EXPECT_FALSE(run_.log.is_watched());
  }
  auto admitted = hub_.admit("run=R", {});
  EXPECT_FALSE(run_.log.is_watched());  // nobody has taken it
}

TEST_F(Sessions, ARunThatIsOfferedAgainIsTheNewTopic) {
  auto old = std::make_unique<fake_run>();
  old->add("old");
  hub_.offer("again", old->log);
  auto ws = websocket("run=again");
  auto lines = stream("run=again");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  ASSERT_TRUE(lines.until_got("\"live\":true"));
  // One stands in a flush, the others wait; then the topic is gone.
  client slow{io_, port_, client::receive_buffer::small};
  for (int i = 0; i < 2000; ++i) old->add("row" + std::to_string(i), std::string(1000, 'x'));
  slow.send(get_request("/v1/stream?run=again"));
  ASSERT_TRUE(settle([&] { return hub_.subscribers() == 3; }));
  old->log.publish();
  hub_.withdraw("again");
  EXPECT_FALSE(old->log.is_watched());
  old = std::make_unique<fake_run>();
  old->add("new");
  hub_.offer("again", old->log);
  EXPECT_FALSE(old->log.is_watched());
  ASSERT_TRUE(ws.until_got("\"code\":4404"));
  ASSERT_TRUE(lines.until_got("\"code\":4404"));
  ASSERT_TRUE(slow.until_got("\"code\":4404"));
  auto fresh = stream("run=again");
  ASSERT_TRUE(fresh.until_got("\"live\":true"));
  EXPECT_EQ(without_hello(lines_of_stream(fresh)), "run=first, new=new, at 1 live");
  EXPECT_TRUE(old->log.is_watched());
  old->change(0, "changed");
  old->log.publish();
  EXPECT_TRUE(fresh.until_got("\"seq\":2}\n"));
  EXPECT_EQ(ws.got().find("changed"), std::string::npos);
  hub_.withdraw("again");
}

TEST_F(Sessions, OfferingUnderTheSameIdWithdrawsTheOldTopic) {
  auto old = std::make_unique<fake_run>();
  hub_.offer("again", old->log);
  auto one = websocket("run=again");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  fake_run fresh;
  hub_.offer("again", fresh.log);
  old.reset();
  ASSERT_TRUE(one.until_got("\"code\":4404"));
  hub_.withdraw("again");
}

}  // namespace
}  // namespace tofud::tests
