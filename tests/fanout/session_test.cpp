// Subscribers over real loopback sockets, from the HTTP request to the close.
#include "daemon/fanout/hub.hpp"
#include "tests/fanout/fake_run.hpp"
#include "tests/http/feed_route.hpp"
#include "tests/http/loopback.hpp"

#include <fstream>
#include <iostream>
#include <malloc.h>
#include <memory>
#include <random>
#include <sys/resource.h>
#include <unistd.h>

namespace tofud::tests {
namespace {

using fanout::brief;
using fanout::fake_run;
using namespace std::chrono_literals;

class Sessions : public testing::Test {
 protected:
  explicit Sessions(fanout::hub_options options = {}) : hub_{io_, options} {
    hub_.offer("R", run_.log);
    hub_.set_latest("R");
    routes_.get_stream("/v1/stream", feed_route(hub_));
    listener_ = std::make_unique<http::listener>(io_, routes_);
    http::listen_address where;
    where.port = 0;
    const auto bound = listener_->bind(where);
    if (!bound) throw std::runtime_error{bound.error().message};
    port_ = bound->port();
    listener_->start();
  }

  client websocket(std::string_view query, std::string_view headers = "") {
    client one{io_, port_};
    one.send(upgrade_request("/v1/stream?" + std::string{query}, headers));
    return one;
  }
  client stream(std::string_view query, std::string_view headers = "") {
    client one{io_, port_};
    one.send(get_request("/v1/stream?" + std::string{query}, headers));
    return one;
  }

  /// Everything but the hello, in brief.
  static std::string without_hello(std::string_view lines) {
    EXPECT_TRUE(lines.starts_with("{\"kind\":\"hello\"")) << lines;
    lines.remove_prefix(std::min(lines.find('\n') + 1, lines.size()));
    return brief(lines);
  }
  static std::string lines_of_websocket(const client& from) {
    return text_of(frames(from.after_head()));
  }
  static std::string lines_of_stream(const client& from) {
    return unchunked(from.after_head()).bytes;
  }
  static std::string lines_of_events(const client& from) {
    const std::string events = unchunked(from.after_head()).bytes;
    std::string lines;
    for (std::size_t at = 0; at < events.size();) {
      const auto end = events.find('\n', at);
      const std::string_view field{events.data() + at, end - at};
      if (field.starts_with("data: ")) lines.append(field.substr(6)) += '\n';
      at = end + 1;
    }
    return lines;
  }
  void changed() { hub_.changed(run_.log); }
  bool settle(const std::function<bool()>& happened) { return wait_until(io_, happened); }

  boost::asio::io_context io_{1};
  fake_run run_;
  fanout::hub hub_;
  http::router routes_;
  std::unique_ptr<http::listener> listener_;
  std::uint16_t port_ = 0;
};

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

TEST_F(Sessions, ManyChangesBeforeAFlushTravelOnce) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  const auto row = run_.add("a");
  for (int i = 0; i < 1000; ++i) run_.change(row, std::to_string(i));
  changed();
  ASSERT_TRUE(one.until_got("\"seq\":1001}\n"));
  EXPECT_EQ(without_hello(lines_of_websocket(one)), "run=first, at 0 live, a=999, at 1001");
}

TEST_F(Sessions, EveryChangeArrivesInTheEndHoweverItIsAnnounced) {
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

TEST_F(Sessions, WhoResumesGetsWhatChangedSince) {
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

// ---- the end of a run ---------------------------------------------------------------------

TEST_F(Sessions, WhoAskedForItIsClosedAfterTheLastAt) {
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

TEST_F(Sessions, WhoComesAfterTheEndGetsEverythingAndIsClosed) {
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

TEST_F(Sessions, AtTheEndOfThePipeEverybodyGetsWhatIsLeftAndAGoodbye) {
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

TEST_F(Sessions, NobodyHoldsUpTheEndLongerThanTheDeadline) {
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
  EXPECT_FALSE(hub_.watched(run_.log));
  EXPECT_FALSE(hub_.watched(other.log));
  for (const bool as_websocket : {true, false}) {
    auto one = as_websocket ? websocket("run=R") : stream("run=R");
    auto two = stream("run=R", "Accept: text/event-stream\r\n");
    ASSERT_TRUE(one.until_got("\"live\":true"));
    ASSERT_TRUE(two.until_got("\"live\":true"));
    EXPECT_TRUE(hub_.watched(run_.log));
    two.hang_up();
    ASSERT_TRUE(settle([&] { return hub_.subscribers() == 1; }));
    EXPECT_TRUE(hub_.watched(run_.log));
    one.hang_up();
    ASSERT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
    EXPECT_FALSE(hub_.watched(run_.log));
  }
  auto admitted = hub_.admit("run=R", {});
  EXPECT_FALSE(hub_.watched(run_.log));  // nobody has taken it
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
  hub_.changed(old->log);
  hub_.withdraw("again");
  EXPECT_FALSE(hub_.watched(old->log));
  old = std::make_unique<fake_run>();
  old->add("new");
  hub_.offer("again", old->log);
  EXPECT_FALSE(hub_.watched(old->log));
  ASSERT_TRUE(ws.until_got("\"code\":4404"));
  ASSERT_TRUE(lines.until_got("\"code\":4404"));
  ASSERT_TRUE(slow.until_got("\"code\":4404"));
  auto fresh = stream("run=again");
  ASSERT_TRUE(fresh.until_got("\"live\":true"));
  EXPECT_EQ(without_hello(lines_of_stream(fresh)), "run=first, new=new, at 1 live");
  EXPECT_TRUE(hub_.watched(old->log));
  old->change(0, "changed");
  hub_.changed(old->log);
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

TEST_F(Sessions, WithoutASubprotocolNoneIsNamed) {
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

// ---- slow and silent ones -----------------------------------------------------------------

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

TEST_F(ShortLimits, AStreamThatCannotAnswerPingsStays) {
  auto lines = stream("run=R");
  auto events = stream("run=R", "Accept: text/event-stream\r\n");
  ASSERT_TRUE(lines.until_got("\"live\":true"));
  ASSERT_TRUE(events.until_got("\"live\":true"));
  // A WebSocket that never answers is dropped after as long a silence.
  ASSERT_TRUE(websocket("run=R").until_end());
  ASSERT_TRUE(websocket("run=R").until_end());
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 2; }));
}

TEST_F(ShortLimits, WhoDoesNotAnswerACloseIsDropped) {
  auto one = websocket("run=other");
  EXPECT_TRUE(one.until_got("\"code\":4404"));
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0 && listener_->connections() == 0; }));
}

TEST_F(ShortLimits, WhoClosesButStaysConnectedIsDropped) {
  auto one = websocket("run=R");
  ASSERT_TRUE(one.until_got("\"live\":true"));
  one.send(masked_frame(0x88, "\x03\xE9"));
  EXPECT_TRUE(one.until_end());
  EXPECT_TRUE(settle([&] { return hub_.subscribers() == 0; }));
}

TEST_F(ShortLimits, WhoBreaksTheProtocolAndStaysConnectedIsDropped) {
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

// ---- crowds -------------------------------------------------------------------------------

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
