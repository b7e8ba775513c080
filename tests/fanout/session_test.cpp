// What a subscriber gets and says, from the HTTP request to the close.
#include "protocol/feed/limits.hpp"
#include "tests/fanout/sessions.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::tests {
namespace {

// ---- the lines ----------------------------------------------------------------------------

TEST_F(Sessions, AllTransportsGetTheSameLines) {
  run_.add("a");
  run_.add("b");
  auto ws = websocket("run=R");
  auto lines = stream("run=R");
  auto events = stream("run=R", "Accept: text/event-stream\r\n");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  ASSERT_TRUE(lines.until_got("\"live\":true"));
  ASSERT_TRUE(events.until_got("\"live\":true"));
  run_.change(0, "changed");
  changed();
  ASSERT_TRUE(ws.until_got("\"seq\":3}\n"));
  ASSERT_TRUE(lines.until_got("\"seq\":3}\n"));
  ASSERT_TRUE(events.until_got("\"seq\":3}\n"));
  const std::string expected = "run=first, a=new, b=new, at 2 live, a=changed, at 3";
  EXPECT_EQ(without_hello(lines_of_websocket(ws)), expected);
  EXPECT_EQ(without_hello(lines_of_stream(lines)), expected);
  EXPECT_EQ(without_hello(lines_of_events(events)), expected);
  EXPECT_EQ(lines_of_websocket(ws), lines_of_stream(lines));
  EXPECT_EQ(lines_of_websocket(ws), lines_of_events(events));
}

TEST_F(Sessions, HelloNamesTheTopicAndItsEpoch) {
  auto one = stream("run=latest");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_TRUE(lines_of_stream(one).starts_with(
      R"({"kind":"hello","protocol":"1.0","server":"tofud","build":"unknown","topic":"run/R","epoch":"E","heartbeat_ms":15000})"));
}

TEST_F(Sessions, EventsCarryAnIdOnEachAtLineOnly) {
  run_.add("a");
  auto one = stream("run=R", "Accept: text/event-stream\r\n");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  const auto events = unchunked(one.after_head()).bytes;
  EXPECT_NE(events.find("\n\nid: E:1\ndata: {\"kind\":\"at\",\"seq\":1,\"live\":true}\n\n"),
            std::string::npos);
  EXPECT_EQ(events.find("id:"), events.rfind("id:"));
}

TEST_F(Sessions, AnEmptyRunIsLiveAtOnce) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_EQ(without_hello(lines_of_websocket(one)), "run=first, at 0 live");
}

TEST_F(Sessions, FramesAreWholeTextMessagesOfLinesUpToTheLimit) {
  for (int i = 0; i < 500; ++i) run_.add("row" + std::to_string(i), std::string(1000, 'x'));
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  const auto all = frames(one.after_head());
  EXPECT_GT(all.size(), 8U);
  for (const auto& frame : all) {
    EXPECT_EQ(frame.opcode, 1);
    EXPECT_TRUE(frame.final);
    EXPECT_LE(frame.payload.size(), limits::frame_bytes);
    EXPECT_TRUE(frame.payload.ends_with("}\n"));
  }
  EXPECT_EQ(fanout::read(text_of(all)).size(), 1 + 1 + 500 + 1U);
}

TEST_F(Sessions, FiltersHoldOnEveryTransport) {
  run_.add("a");
  run_.add("m", "text", feed::row_kind::message);
  auto ws = websocket("run=R&kinds=message");
  auto lines = stream("run=R&kinds=message");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  ASSERT_TRUE(lines.until_got("\"live\":true"));
  EXPECT_EQ(without_hello(lines_of_websocket(ws)), "m=text, at 2 live");
  EXPECT_EQ(without_hello(lines_of_stream(lines)), "m=text, at 2 live");
}

TEST_F(Sessions, ManyChangesBeforeAFlushAreSentOnce) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  const auto row = run_.add("a");
  for (int i = 0; i < 1000; ++i) run_.change(row, std::to_string(i));
  changed();
  ASSERT_TRUE(one.until_got("\"seq\":1001}\n"));
  EXPECT_EQ(without_hello(lines_of_websocket(one)), "run=first, at 0 live, a=999, at 1001");
}

TEST_F(Sessions, EveryChangeArrivesInTheEnd) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  const auto row = run_.add("a");
  for (int i = 0; i < 500; ++i) {
    run_.change(row, std::to_string(i));
    changed();
    if (i % 7 == 0) io_.poll();
  }
  ASSERT_TRUE(one.until_got("\"value\":\"499\"}"));
  ASSERT_TRUE(one.until_got("\"seq\":501}\n"));
}

// ---- resuming -----------------------------------------------------------------------------

TEST_F(Sessions, ResumedSubscriberGetsWhatChangedSince) {
  run_.add("a");
  run_.add("b");
  auto ws = websocket("run=R&since=E:1");
  auto lines = stream("run=R&since=E:1");
  ASSERT_TRUE(ws.until_got("\"live\":true"));
  ASSERT_TRUE(lines.until_got("\"live\":true"));
  EXPECT_EQ(without_hello(lines_of_websocket(ws)), "run=first, b=new, at 2 live");
  EXPECT_EQ(without_hello(lines_of_stream(lines)), "run=first, b=new, at 2 live");
}

TEST_F(Sessions, APositionOfAnotherEpochIsReset) {
  run_.add("a");
  auto one = stream("run=R&since=other:1");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_NE(one.got().find("{\"kind\":\"reset\",\"reason\":\"epoch\"}\n"), std::string::npos);
  EXPECT_NE(one.got().find("\"key\":\"a\""), std::string::npos);
}

TEST_F(Sessions, APositionBeyondTheHeadIsReset) {
  run_.add("a");
  auto one = stream("run=R&since=E:2");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_NE(one.got().find("{\"kind\":\"reset\",\"reason\":\"head\"}\n"), std::string::npos);
  EXPECT_NE(one.got().find("\"key\":\"a\""), std::string::npos);
}

TEST_F(Sessions, AnUnparsablePositionIsReset) {
  auto one = websocket("run=R&since=nonsense");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_NE(one.got().find("{\"kind\":\"reset\",\"reason\":\"since\"}\n"), std::string::npos);
}

TEST_F(Sessions, LastEventIdWinsOverSince) {
  run_.add("a");
  run_.add("b");
  auto one = stream("run=R&since=E:0", "Accept: text/event-stream\r\nLast-Event-ID: E:1\r\n");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_EQ(without_hello(lines_of_events(one)), "run=first, b=new, at 2 live");
}

// ---- refusals -----------------------------------------------------------------------------

struct refusal_case {
  const char *query, *headers;
  int status;
};

class Refusals : public Sessions, public testing::WithParamInterface<refusal_case> {};

TEST_P(Refusals, AWebSocketGetsAnErrorLineAndAClose) {
  if (GetParam().status == 406 && std::string_view{GetParam().headers}.starts_with("Accept"))
    return;
  auto one = websocket(GetParam().query, GetParam().headers);
  ASSERT_TRUE(one.until([&] { return close_of(frames(one.after_head())).code != 0; })) << one.got();
  EXPECT_EQ(one.status(), 101);
  const auto all = frames(one.after_head());
  EXPECT_EQ(close_of(all).code, GetParam().status + 4000);
  EXPECT_TRUE(text_of(all).starts_with("{\"kind\":\"error\",\"code\":" +
                                       std::to_string(GetParam().status + 4000)));
  EXPECT_EQ(hub_.subscribers(), 1U);  // until the client closes, too
  one.hang_up();
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_P(Refusals, AStreamGetsAStatusAndASentence) {
  if (std::string_view{GetParam().headers}.starts_with("Sec-WebSocket")) return;
  auto one = stream(GetParam().query, GetParam().headers);
  ASSERT_TRUE(one.until_got("\"message\":"));
  EXPECT_EQ(one.status(), GetParam().status);
  EXPECT_TRUE(
      one.after_head().starts_with("{\"code\":" + std::to_string(GetParam().status + 4000)));
}

INSTANTIATE_TEST_SUITE_P(
    Requests, Refusals,
    testing::Values(refusal_case{"run=R&colour=red", "", 400},
                    refusal_case{"run=R&kinds=nothing", "", 400},
                    refusal_case{"run=R&end=perhaps", "", 400}, refusal_case{"run=%ZZ", "", 400},
                    refusal_case{"run=other", "", 404}, refusal_case{"", "", 404},
                    refusal_case{"run=R", "Accept: image/png\r\n", 406},
                    refusal_case{"run=R", "Sec-WebSocket-Protocol: graphql-ws, mqtt\r\n", 406}));

TEST_F(Sessions, TheSubprotocolIsEchoedIfItIsOffered) {
  auto one = websocket("run=R", "Sec-WebSocket-Protocol: other, tofud.v1\r\n");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_NE(one.head().find("\r\nSec-WebSocket-Protocol: tofud.v1\r\n"), std::string::npos);
}

TEST_F(Sessions, NoSubprotocolIsNamedWithoutAnOffer) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_EQ(one.head().find("Sec-WebSocket-Protocol"), std::string::npos);
}

TEST_F(Sessions, HeadOfAStreamHasNoBody) {
  client one{io_, port_};
  one.send("HEAD /v1/stream?run=R HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  ASSERT_TRUE(one.until_end());
  EXPECT_EQ(one.status(), 200);
  EXPECT_EQ(one.after_head(), "");
}

// ---- clients that say something -----------------------------------------------------------

TEST_F(Sessions, ADataFrameFromAClientIsClosedWith1003) {
  for (const int first : {0x81, 0x82, 0x01}) {
    auto one = websocket("run=R");
    ASSERT_TRUE(one.until_got("\"live\":true"));
    one.send(masked_frame(first, "hello"));
    ASSERT_TRUE(one.until([&] { return close_of(frames(one.after_head())).code != 0; }));
    EXPECT_EQ(close_of(frames(one.after_head())).code, 1003);
  }
}

TEST_F(Sessions, AnEmptyDataFrameIsOneToo) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(masked_frame(0x81, ""));
  ASSERT_TRUE(one.until([&] { return close_of(frames(one.after_head())).code != 0; }));
  EXPECT_EQ(close_of(frames(one.after_head())).code, 1003);
}

TEST_F(Sessions, AnOverlongFrameIsClosedWith1009) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(masked_frame(0x82, std::string(limits::client_message_bytes + 1, 'x')));
  ASSERT_TRUE(one.until([&] { return close_of(frames(one.after_head())).code != 0; }));
  EXPECT_EQ(close_of(frames(one.after_head())).code, 1009);
}

TEST_F(Sessions, APingIsAnsweredAmongTheFlushes) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(masked_frame(0x89, "are you there"));
  ASSERT_TRUE(one.until([&] {
    const auto all = frames(one.after_head());
    return all.back().opcode == 10 && all.back().payload == "are you there";
  }));
}

TEST_F(Sessions, FramesThatCameWithTheRequestAreRead) {
  client one{io_, port_};
  one.send(upgrade_request("/v1/stream?run=R") + masked_frame(0x89, "early"));
  ASSERT_TRUE(one.until([&] {
    for (const auto& frame : frames(one.after_head())) {
      if (frame.opcode == 10 && frame.payload == "early") return true;
    }
    return false;
  }));
}

TEST_F(Sessions, AClientsCloseIsAnsweredAndEndsTheSession) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_EQ(hub_.subscribers(), 1U);
  one.send(masked_frame(0x88, "\x03\xE9"));
  EXPECT_TRUE(one.until_end());
  EXPECT_EQ(close_of(frames(one.after_head())).code, 1001);
  one.hang_up();
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_F(Sessions, AStreamEndsWithItsClient) {
  auto one = stream("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  EXPECT_EQ(hub_.subscribers(), 1U);
  one.hang_up();
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0 && listener_->connections() == 0; }));
}

}  // namespace
}  // namespace tofud::tests
