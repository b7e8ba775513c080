// Requests that somebody before us may read in another way, or that mean something else to us than
// to whoever sent them: each gets its status and ends the connection, and what follows it is never
// answered.
#include "tests/http/serving.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace tofud::http {
namespace {

using namespace std::string_literals;

/// Read by all of them as a second request, if the first one ended where they think.
constexpr std::string_view follow_up{"GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n"};

struct refusal {
  std::string name;
  int status;
  std::string bytes;
};
std::ostream& operator<<(std::ostream& to, const refusal& one) { return to << one.name; }

class Strict : public tests::serving {
 protected:
  Strict() {
    routes_.get("/", [](const request&) { return text("first"); });
    routes_.get("/second", [](const request&) { return text("second"); });
    routes_.take_whole("PUT", "/put", 100,
                       [](const request&, const std::string& body, const auto& answer) {
                         answer(text("put " + body));
                       });
    routes_.get_stream("/v1/stream", [](handover&) -> std::optional<response> {
      return problem(404, "no run here");
    });
    start();
  }
  static response text(std::string body) {
    response answer;
    answer.body = std::move(body);
    return answer;
  }
  static std::size_t answers(std::string_view got) {
    std::size_t count = 0;
    for (auto at = got.find("HTTP/1.1 "); at != got.npos; at = got.find("HTTP/1.1 ", at + 1)) {
      ++count;
    }
    return count;
  }
};

class Refused : public Strict, public testing::WithParamInterface<refusal> {};

TEST_P(Refused, GetsItsStatusAndTheEndAndNothingAfterIt) {
  const auto one = ask(GetParam().bytes + std::string{follow_up});
  EXPECT_EQ(one.status(), GetParam().status) << one.got();
  EXPECT_EQ(answers(one.got()), 1U) << one.got();
  EXPECT_NE(one.head().find("\r\nConnection: close\r\n"), std::string::npos) << one.got();
  EXPECT_EQ(one.got().find("second"), std::string::npos);
}

std::string with(std::string_view headers, std::string_view body = "") {
  std::string bytes{"PUT /put HTTP/1.1\r\nHost: localhost\r\n"};
  return bytes.append(headers).append("\r\n").append(body);
}

std::string upgrade(std::string_view headers) {
  std::string bytes{
      "GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: "
      "websocket\r\n"};
  return bytes.append(headers).append("\r\n");
}

INSTANTIATE_TEST_SUITE_P(
    TransferEncoding, Refused,
    testing::Values(
        refusal{"Unknown", 400, with("Transfer-Encoding: gzip\r\n")},
        refusal{"UnknownBeforeChunked", 501,
                with("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")},
        refusal{"ChunkedIsNotLast", 400, with("Transfer-Encoding: chunked, identity\r\n")},
        refusal{"Identity", 400, with("Transfer-Encoding: identity\r\n")},
        refusal{"Empty", 400, with("Transfer-Encoding:\r\n")},
        refusal{"Twice", 400,
                with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")},
        refusal{"TwiceInAList", 501, with("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")},
        refusal{"Quoted", 400, with("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n")},
        refusal{"VerticalTab", 400, with("Transfer-Encoding: \vchunked\r\n", "0\r\n\r\n")},
        refusal{"WithALength", 400,
                with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")},
        refusal{"BeforeALength", 400,
                with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n")},
        refusal{"SpaceBeforeColon", 400, with("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")},
        refusal{"TabBeforeColon", 400, with("Transfer-Encoding\t: chunked\r\n", "0\r\n\r\n")},
        refusal{"InHttp10", 400,
                "PUT /put HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n"
                "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Length, Refused,
    testing::Values(
        refusal{"Twice", 400, with("Content-Length: 3\r\nContent-Length: 3\r\n", "abc")},
        refusal{"TwoOfThem", 400, with("Content-Length: 3\r\nContent-Length: 40\r\n", "abc")},
        refusal{"List", 400, with("Content-Length: 3, 3\r\n", "abc")},
        refusal{"Signed", 400, with("Content-Length: +3\r\n", "abc")},
        refusal{"Negative", 400, with("Content-Length: -3\r\n", "abc")},
        refusal{"Hex", 400, with("Content-Length: 0x3\r\n", "abc")},
        refusal{"Fraction", 400, with("Content-Length: 3.0\r\n", "abc")},
        refusal{"Empty", 400, with("Content-Length:\r\n", "abc")},
        refusal{"TooLargeForAnyNumber", 400, with("Content-Length: 18446744073709551617\r\n")},
        refusal{"OverWhatIsTaken", 413, with("Content-Length: 101\r\n")}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Chunk, Refused,
    testing::Values(
        refusal{"NoNumber", 400, with("Transfer-Encoding: chunked\r\n", "x\r\n")},
        refusal{"Prefixed", 400, with("Transfer-Encoding: chunked\r\n", "0x3\r\nabc\r\n0\r\n\r\n")},
        refusal{"Signed", 400, with("Transfer-Encoding: chunked\r\n", "+3\r\nabc\r\n0\r\n\r\n")},
        refusal{"BareLineFeed", 400, with("Transfer-Encoding: chunked\r\n", "3\nabc\n0\n\n")},
        refusal{"LongerThanItSays", 400,
                with("Transfer-Encoding: chunked\r\n", "3\r\nabcd\r\n0\r\n\r\n")},
        refusal{"LargerThanAnyNumber", 400,
                with("Transfer-Encoding: chunked\r\n", "ffffffffffffffff1\r\n")},
        refusal{"LineFeedInAnExtension", 400,
                with("Transfer-Encoding: chunked\r\n", "3;a=\nb\r\nabc\r\n0\r\n\r\n")},
        refusal{"OverWhatIsTaken", 413,
                with("Transfer-Encoding: chunked\r\n", "65\r\n" + std::string(101, 'a') + "\r\n")}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Host, Refused,
    testing::Values(
        refusal{"None", 400, "GET / HTTP/1.1\r\n\r\n"},
        refusal{"NoneInHttp10", 400, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"},
        refusal{"Empty", 400, "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
        refusal{"Two", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"},
        refusal{"TwoOfDifferentCase", 400,
                "GET / HTTP/1.1\r\nHost: localhost\r\nHOST: evil.example\r\n\r\n"},
        refusal{"List", 421, "GET / HTTP/1.1\r\nHost: localhost, evil.example\r\n\r\n"},
        refusal{"Foreign", 421, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"},
        refusal{"WithAUser", 421, "GET / HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n"},
        refusal{"WithAPath", 421, "GET / HTTP/1.1\r\nHost: localhost/\r\n\r\n"}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Target, Refused,
    testing::Values(refusal{"AbsoluteOfAnotherHost", 400,
                            "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"AbsoluteWithAUser", 400,
                            "GET http://a@localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"AbsoluteOfAnotherScheme", 400,
                            "GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"Authority", 400,
                            "GET localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"Asterisk", 400, "GET * HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"Empty", 400, "GET  HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"Relative", 400, "GET second HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"WithASpace", 400, "GET / second HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"WithATab", 400, "GET /\tsecond HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"WithAZero", 400, "GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n"s},
                    refusal{"WithAFragment", 400, "GET /#a HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"TooLong", 414, "GET /" + std::string(20'000, 'a')}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Method, Refused,
    testing::Values(refusal{"Connect", 501,
                            "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n"},
                    refusal{"ConnectOfAPath", 501, "CONNECT / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"Trace", 501, "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"NoToken", 400, "G(T / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"LeadingSpace", 400, " GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"Tab", 400, "GET\t/ HTTP/1.1\r\nHost: localhost\r\n\r\n"}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Version, Refused,
    testing::Values(refusal{"Http09", 400, "GET /\r\n"},
                    refusal{"Preface", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
                    refusal{"Http2", 505, "GET / HTTP/2.0\r\nHost: localhost\r\n\r\n"},
                    refusal{"Http12", 505, "GET / HTTP/1.2\r\nHost: localhost\r\n\r\n"},
                    refusal{"LowerCase", 400, "GET / http/1.1\r\nHost: localhost\r\n\r\n"},
                    refusal{"Trailing", 400, "GET / HTTP/1.1 \r\nHost: localhost\r\n\r\n"},
                    refusal{"TlsHello", 400, "\x16\x03\x01\x02\x00\x01\xfc\x03\x03\r\n"s}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Header, Refused,
    testing::Values(
        refusal{"Folded", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n"},
        refusal{"FoldedByTab", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n\tc\r\n\r\n"},
        refusal{"FoldedAtOnce", 400, "GET / HTTP/1.1\r\n Host: localhost\r\n\r\n"},
        refusal{"BareLineFeed", 400, "GET / HTTP/1.1\r\nHost: localhost\nA: b\r\n\r\n"},
        refusal{"OnlyLineFeeds", 400, "GET / HTTP/1.1\nHost: localhost\n\n"},
        refusal{"BareReturn", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA: b\rC: d\r\n\r\n"},
        refusal{"SpaceBeforeColon", 400, "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"},
        refusal{"SpaceInTheName", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA b: c\r\n\r\n"},
        refusal{"NoColon", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA\r\n\r\n"},
        refusal{"NoName", 400, "GET / HTTP/1.1\r\nHost: localhost\r\n: b\r\n\r\n"},
        refusal{"ZeroInTheName", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA\0: b\r\n\r\n"s},
        refusal{"ZeroInTheValue", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA: b\0\r\n\r\n"s},
        refusal{"ControlInTheValue", 400, "GET / HTTP/1.1\r\nHost: localhost\r\nA: \x01\r\n\r\n"},
        refusal{"TooLong", 431,
                "GET / HTTP/1.1\r\nHost: localhost\r\nA: " + std::string(20'000, 'a')}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Asker, Refused,
    testing::Values(
        refusal{"ForeignOrigin", 403,
                "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n"},
        refusal{"NullOrigin", 403, "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n"},
        refusal{"ForeignOriginOfAWebSocket", 403,
                upgrade("Sec-WebSocket-Version: 13\r\nOrigin: http://evil.example\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    WebSocket, Refused,
    testing::Values(refusal{"NoKey", 400, upgrade("Sec-WebSocket-Version: 13\r\n")},
                    refusal{"ShortKey", 400,
                            upgrade("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhl\r\n")},
                    refusal{"LongKey", 400,
                            upgrade("Sec-WebSocket-Version: 13\r\n"
                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZdGhl==\r\n")},
                    refusal{"KeyThatIsNoBase64", 400,
                            upgrade("Sec-WebSocket-Version: 13\r\n"
                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j?Q==\r\n")},
                    refusal{"TwoKeys", 400,
                            upgrade("Sec-WebSocket-Version: 13\r\n"
                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")},
                    refusal{"OldVersion", 426,
                            upgrade("Sec-WebSocket-Version: 8\r\n"
                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")},
                    refusal{"Body", 413,
                            upgrade("Sec-WebSocket-Version: 13\r\nContent-Length: 44\r\n"
                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Body, Refused,
    testing::Values(
        refusal{"OfAGet", 413, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 44\r\n\r\n"},
        refusal{"ChunkedOfAGet", 413,
                "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
        refusal{"OfNoPath", 404,
                "PUT /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 44\r\n\r\n"},
        refusal{"OfAnotherMethod", 405,
                "POST /put HTTP/1.1\r\nHost: localhost\r\nContent-Length: 44\r\n\r\n"},
        refusal{"OfAnotherExpectation", 417, with("Content-Length: 44\r\nExpect: 200-ok\r\n")}),
    [](const auto& one) { return one.param.name; });

// ---- what looks odd and is right ----------------------------------------------------------

class Accepted : public Strict, public testing::WithParamInterface<refusal> {};

TEST_P(Accepted, TheRequestAfterAnAcceptedOneIsServed) {
  const auto one = ask(GetParam().bytes +
                       "GET /second HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(one.status(), GetParam().status) << one.got();
  EXPECT_EQ(answers(one.got()), 2U) << one.got();
  EXPECT_TRUE(one.got().ends_with("second")) << one.got();
}

INSTANTIATE_TEST_SUITE_P(
    Odd, Accepted,
    testing::Values(
        refusal{"AbsoluteForm", 200, "GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        refusal{"AbsoluteFormInCapitals", 200,
                "GET HTTP://LOCALHOST/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        refusal{"EmptyLineBefore", 200, "\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        refusal{"EmptyBody", 200, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"},
        refusal{"ChunkExtension", 200,
                with("Transfer-Encoding: chunked\r\n", "3;a=b;c=\"d\"\r\nabc\r\n0\r\n\r\n")},
        refusal{"Trailer", 200,
                with("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\nHost: evil\r\n\r\n")},
        refusal{"CodingInCapitals", 200,
                with("Transfer-Encoding: CHUNKED\r\n", "3\r\nabc\r\n0\r\n\r\n")},
        refusal{"UnknownMethod", 405, "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n"},
        refusal{
            "UpgradeToSomethingElse", 200,
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tofud::http
