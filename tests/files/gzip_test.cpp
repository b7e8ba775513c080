#include "daemon/files/gzip.hpp"

#include "daemon/files/gunzip.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tofud::files {
namespace {

std::string unpack(std::string_view packed) {
  std::string text;
  gunzip unpacked{[&](std::string_view bytes) { text += bytes; }};
  EXPECT_EQ(unpacked.feed(packed), "");
  EXPECT_EQ(unpacked.end(), "");
  return text;
}

TEST(Gzip, PiecesOfAnySizeComeBack) {
  std::string all;
  gzip packing;
  for (std::size_t bytes : {0u, 1u, 70'000u, 3u, 1'000'000u}) {
    std::string piece(bytes, 'a');
    // Nothing repeats soon, so that more comes out than fits in one go.
    unsigned state = 1;
    for (char& c : piece) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    packing.feed(piece);
    all += piece;
  }
  const std::string packed = packing.end();
  EXPECT_LT(packed.size(), 2 * all.size());
  EXPECT_TRUE(unpack(packed) == all);
}

TEST(Gzip, NothingIsAMemberToo) {
  gzip packing;
  const std::string packed = packing.end();
  EXPECT_TRUE(packed.starts_with("\x1f\x8b"));
  EXPECT_EQ(unpack(packed), "");
}

}  // namespace
}  // namespace tofud::files
