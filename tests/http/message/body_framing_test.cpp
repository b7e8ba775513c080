#include "daemon/http/message/body_framing.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace tofud::http {
namespace {

/// The length, "chunked", "none", or the status of a refusal.
std::string framing(std::vector<header> headers, http_version version = http_version::v1_1) {
  request asked;
  asked.version = version;
  asked.headers = std::move(headers);
  const auto found = framing_of(asked);
  if (const auto* refused = std::get_if<response>(&found))
    return "refused " + std::to_string(refused->status);
  const auto& by = std::get<body_framing>(found);
  if (by.by == body_framing::kind::chunked) return "chunked";
  return by.by == body_framing::kind::none ? "none" : std::to_string(by.length);
}

TEST(BodyFraming, IsALengthOrChunksOrNothing) {
  EXPECT_EQ(framing({}), "none");
  EXPECT_EQ(framing({{"content-length", "0"}}), "0");
  EXPECT_EQ(framing({{"content-length", "18446744073709551615"}}), "18446744073709551615");
  EXPECT_EQ(framing({{"transfer-encoding", "chunked"}}), "chunked");
  EXPECT_EQ(framing({{"transfer-encoding", "Chunked"}}), "chunked");
}

TEST(BodyFraming, AmbiguousFramingIsRefused) {
  EXPECT_EQ(framing({{"content-length", "3"}, {"transfer-encoding", "chunked"}}), "refused 400");
  EXPECT_EQ(framing({{"transfer-encoding", "chunked"}}, http_version::v1_0), "refused 400");
  EXPECT_EQ(framing({{"content-length", "3"}, {"content-length", "3"}}), "refused 400");
  EXPECT_EQ(framing({{"transfer-encoding", "chunked"}, {"transfer-encoding", "identity"}}),
            "refused 400");
  for (const auto* length : {"", "+3", "-3", "3,3", "3 3", "0x3", "3a", "18446744073709551616"})
    EXPECT_EQ(framing({{"content-length", length}}), "refused 400") << length;
  for (const auto* coding :
       {"", "identity", "chunked, gzip", "xchunked", "chunked;q=1", "chunked,"})
    EXPECT_EQ(framing({{"transfer-encoding", coding}}), "refused 400") << coding;
}

TEST(BodyFraming, OtherTransferCodingsAreRefused) {
  EXPECT_EQ(framing({{"transfer-encoding", "gzip, chunked"}}), "refused 501");
  EXPECT_EQ(framing({{"transfer-encoding", "chunked, chunked"}}), "refused 501");
  EXPECT_EQ(framing({{"transfer-encoding", "gzip"}, {"transfer-encoding", "chunked"}}),
            "refused 501");
}

TEST(BodyCutter, CutsABodyOfALengthOffWhatFollows) {
  body_framing five;
  five.by = body_framing::kind::length;
  five.length = 5;
  body_cutter cutter{five, 5};
  std::string out;
  EXPECT_EQ(cutter.wanted(), 5U);
  EXPECT_EQ(cutter.feed("ab", out), 2U);
  EXPECT_EQ(cutter.wanted(), 3U);
  EXPECT_EQ(cutter.now(), chunked_decoder::state::more);
  EXPECT_EQ(cutter.feed("cdeGET", out), 3U);
  EXPECT_EQ(cutter.now(), chunked_decoder::state::done);
  EXPECT_EQ(cutter.feed("GET", out), 0U);
  EXPECT_EQ(out, "abcde");
  EXPECT_EQ((body_cutter{five, 4}.now()), chunked_decoder::state::too_long);
}

TEST(BodyCutter, AnEmptyBodyEndsAtOnce) {
  body_cutter cutter{body_framing{}, 1000};
  EXPECT_EQ(cutter.now(), chunked_decoder::state::done);
}

TEST(BodyCutter, ARawStreamHasNoEnd) {
  body_framing raw;
  raw.by = body_framing::kind::raw;
  body_cutter cutter{raw, 6};
  std::string out;
  EXPECT_EQ(cutter.feed("abcdef", out), 6U);
  EXPECT_EQ(cutter.now(), chunked_decoder::state::more);
  EXPECT_EQ(cutter.feed("g", out), 0U);
  EXPECT_EQ(cutter.now(), chunked_decoder::state::too_long);
}

}  // namespace
}  // namespace tofud::http
