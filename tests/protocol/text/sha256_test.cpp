#include "protocol/text/sha256.hpp"

#include "protocol/text/hex.hpp"

#include <gtest/gtest.h>

namespace tofud {
namespace {

// FIPS 180-2, appendix B.
constexpr const char* of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(text::sha256_hex("abc"), of_abc);
  EXPECT_EQ(text::sha256_hex(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, PiecesHashLikeTheWhole) {
  text::sha256_sum sum;
  for (const auto* piece : {"a", "", "bc"}) sum.add(piece);
  EXPECT_EQ(sum.hex(), of_abc);
}

TEST(Hex, GoesThereAndBack) {
  const std::string bytes{"\0\x7f\x80\xff z", 6};
  EXPECT_EQ(text::to_hex(bytes), "007f80ff207a");
  EXPECT_EQ(text::from_hex("007f80ff207a"), bytes);
  EXPECT_EQ(text::from_hex(""), "");
}

TEST(Hex, IsPairsOfDigitsInLowerCase) {
  for (const auto* text : {"0", "000", "0g", "FF", " 00", "0x"})
    EXPECT_FALSE(text::from_hex(text)) << text;
}

}  // namespace
}  // namespace tofud
