#include "daemon/files/gunzip.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

namespace tofud::files {
namespace {

std::string packed(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<unsigned char*>(in.data());
  stream.avail_in = static_cast<unsigned>(in.size());
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct outcome {
  std::string text, wrong, missing;
};

outcome fed(const std::string& bytes, std::size_t piece) {
  outcome found;
  gunzip unpacked{[&](std::string_view text) { found.text += text; }};
  for (std::size_t at = 0; at < bytes.size() && found.wrong.empty(); at += piece) {
    found.wrong = unpacked.feed(std::string_view{bytes}.substr(at, piece));
  }
  found.missing = unpacked.end();
  return found;
}

TEST(Gunzip, PlainBytesPassHoweverTheyAreCut) {
  for (const std::string text : {"", "a", "\x1f", "\x1f\x1f", "hello\n"}) {
    for (std::size_t piece = 1; piece <= text.size() + 1; ++piece) {
      const outcome found = fed(text, piece);
      EXPECT_EQ(found.text, text);
      EXPECT_EQ(found.wrong + found.missing, "");
    }
  }
}

TEST(Gunzip, CompressedOnesAreUnpackedHoweverTheyAreCut) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += std::to_string(i * 7919 % 10'007) + "\n";
  const std::string bytes = packed(text) + packed("second\n");
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{7}, std::size_t{4096}, bytes.size()}) {
    const outcome found = fed(bytes, piece);
    EXPECT_EQ(found.text, text + "second\n");
    EXPECT_EQ(found.wrong + found.missing, "");
  }
}

TEST(Gunzip, MissingOrDamagedBytesAreReported) {
  const std::string bytes = packed("hello hello hello\n");
  EXPECT_EQ(fed(bytes.substr(0, bytes.size() - 1), 5).missing,
            "is truncated: its compressed data ends too early");
  EXPECT_TRUE(fed("\x1f\x8bgarbage", 100).wrong.starts_with("is not valid gzip data: "));
  std::string damaged = bytes;
  damaged[bytes.size() - 6] ^= 1;  // of the checksum
  EXPECT_TRUE(fed(damaged, 100).wrong.starts_with("is not valid gzip data: "));
}

}  // namespace
}  // namespace tofud::files
