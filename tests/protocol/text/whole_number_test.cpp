#include "protocol/text/whole_number.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tofud {
namespace {

TEST(WholeNumber, IsDecimalDigitsUpToTheLargest) {
  EXPECT_EQ(text::parse_whole_number<std::uint64_t>("0"), 0u);
  EXPECT_EQ(text::parse_whole_number<std::uint64_t>("007"), 7u);
  EXPECT_EQ(text::parse_whole_number<std::uint64_t>("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(text::parse_whole_number<std::uint16_t>("65535"), 65535u);
}

TEST(WholeNumber, IsNothingElse) {
  for (const auto* text : {"", " ", "-1", "+1", " 1", "1 ", "1.0", "1,2", "0x1", "1e3", "eight",
                           "18446744073709551616", "99999999999999999999"}) {
    EXPECT_FALSE(text::parse_whole_number<std::uint64_t>(text)) << text;
  }
  EXPECT_FALSE(text::parse_whole_number<std::uint16_t>("65536"));
}

}  // namespace
}  // namespace tofud
