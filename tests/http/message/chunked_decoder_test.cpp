#include "daemon/http/message/chunked_decoder.hpp"

#include "daemon/http/limits.hpp"
#include "daemon/http/message/limits.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tofud::http {
namespace {

using state = chunked_decoder::state;

struct decoded {
  state now;
  std::string content;
  std::size_t used;
  bool operator==(const decoded&) const = default;
};

decoded decode(std::string_view bytes, std::uint64_t most = 1000,
               std::size_t piece = std::string_view::npos) {
  chunked_decoder decoder{most};
  decoded out{state::more, {}, 0};
  while (out.used < bytes.size() && decoder.now() == state::more)
    out.used += decoder.feed(bytes.substr(out.used, piece), out.content);
  out.now = decoder.now();
  return out;
}

constexpr std::string_view ordinary{
    "4\r\nWiki\r\n7;name=\"a;b\"\r\npedia i\r\nB \t;x\r\nn \r\nchunks.\r\n000\r\nTrailer: "
    "gone\r\nOther: too\r\n\r\n"};

TEST(ChunkedDecoder, RemovesTheFraming) {
  const std::string text = std::string{ordinary} + "GET / HTTP/1.1\r\n";
  EXPECT_EQ(decode(text), (decoded{state::done, "Wikipedia in \r\nchunks.", ordinary.size()}));
}

TEST(ChunkedDecoder, ABodyCutAtEveryByteIsTheSame) {
  const auto whole = decode(ordinary);
  for (std::size_t cut = 1; cut < ordinary.size(); ++cut) {
    chunked_decoder decoder{1000};
    std::string content;
    ASSERT_EQ(decoder.feed(ordinary.substr(0, cut), content), cut);
    ASSERT_EQ(decoder.now(), state::more) << cut;
    ASSERT_EQ(decoder.feed(ordinary.substr(cut), content), ordinary.size() - cut);
    EXPECT_EQ(decoder.now(), state::done) << cut;
    EXPECT_EQ(content, whole.content) << cut;
  }
  for (const std::size_t piece : {1, 2, 3, 7}) EXPECT_EQ(decode(ordinary, 1000, piece), whole);
}

TEST(ChunkedDecoder, AnEmptyBodyIsOneChunkOfNothing) {
  EXPECT_EQ(decode("0\r\n\r\n"), (decoded{state::done, "", 5}));
  EXPECT_EQ(decode("00000;x\r\n\r\n").now, state::done);
}

TEST(ChunkedDecoder, SizesAreHexadecimalInBothCases) {
  const std::string ten(10, 'x');
  EXPECT_EQ(decode("a\r\n" + ten + "\r\n0\r\n\r\n").content, ten);
  EXPECT_EQ(decode("00A\r\n" + ten + "\r\n0\r\n\r\n").content, ten);
}

TEST(ChunkedDecoder, AmbiguousFramingIsRefused) {
  for (const std::string_view text : {"\r\n",
                                      "\n",
                                      " 3\r\nabc\r\n",
                                      "3\nabc\r\n",
                                      "3\r\r\nabc\r\n",
                                      "3 \r\nabc\r\n",
                                      "0x3\r\nabc\r\n",
                                      "+3\r\nabc\r\n",
                                      "-3\r\n",
                                      "3,3\r\nabc\r\n",
                                      "3\r\nabcd\r\n",
                                      "3\r\nabc\n0\r\n\r\n",
                                      "3\r\nabc\r0\r\n\r\n",
                                      "3\r\nabc0\r\n\r\n",
                                      "3;a\nb\r\nabc\r\n",
                                      "3;a\rb\r\nabc\r\n",
                                      "3;\x01\r\nabc\r\n",
                                      "3;a\x7F\r\nabc\r\n",
                                      "0\r\n\n",
                                      "0\r\nA: b\n\r\n",
                                      "0\r\nA: \x02\r\n\r\n",
                                      "0\r\n\rX",
                                      "0\r\nA: b\rX\r\n\r\n",
                                      "g\r\n",
                                      ";x\r\n",
                                      "00000000000000001\r\na\r\n",
                                      "FFFFFFFFFFFFFFFFF\r\n"}) {
    EXPECT_EQ(decode(text).now, state::malformed) << text;
  }
}

TEST(ChunkedDecoder, MoreThanIsAllowedIsRefusedAtTheSizeLine) {
  EXPECT_EQ(decode("4\r\nabcd\r\n0\r\n\r\n", 4).now, state::done);
  EXPECT_EQ(decode("5\r\n", 4).now, state::too_long);
  EXPECT_EQ(decode("3\r\nabc\r\n2\r\n", 4), (decoded{state::too_long, "abc", 11}));
  EXPECT_EQ(decode("FFFFFFFFFFFFFFFF\r\n").now, state::too_long);
}

TEST(ChunkedDecoder, ManySmallChunksAreAccepted) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "1\r\nx\r\n";
  EXPECT_EQ(decode(text + "0\r\n\r\n", 100'000).content.size(), 50'000U);
}

TEST(ChunkedDecoder, ExtensionsAndTrailersAreBounded) {
  EXPECT_EQ(decode("1;" + std::string(limits::chunk_overhead_bytes, 'x') + "\r\na\r\n").now,
            state::malformed);
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "1;" + std::string(100, 'x') + "\r\nx\r\n";
  EXPECT_EQ(decode(text, 100'000).now, state::malformed);
  std::string trailers = "0\r\n";
  for (int i = 0; i < 2000; ++i) trailers += "A: 123456789\r\n";
  EXPECT_EQ(decode(trailers + "\r\n").now, state::malformed);
}

}  // namespace
}  // namespace tofud::http
