#include "protocol/text/readable.hpp"

#include <gtest/gtest.h>

namespace tofud::text {
namespace {

TEST(ReadableText, KeepsTabsAndNewlinesAndDropsColours) {
  EXPECT_EQ(readable("a\tb\nc\r\nd\re"), "a\tb\nc\nd\ne");
  EXPECT_EQ(readable("\x1b[1;31mred\x1b[0m, héllo 世界"), "red, héllo 世界");
}

TEST(ReadableText, ReplacesControlCharacters) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(readable(std::string_view{"a\0b", 3}), "a" + mark + "b");
  EXPECT_EQ(readable("\x01\x7f\xC2\x85"), mark + mark + mark);
  EXPECT_EQ(readable("\xE2\x80\xAE\xE2\x81\xA6\xEF\xBF\xBE\xff"), mark + mark + mark + mark);
  EXPECT_EQ(readable("\x1b]0;title\a"), "]0;title" + mark);
  EXPECT_EQ(readable("\x1b"), "");
  EXPECT_EQ(readable("\x1b["), "");
}

TEST(ReadableText, IsCutBetweenCharacters) {
  EXPECT_EQ(beginning("abc", 3), "abc");
  EXPECT_EQ(beginning("abcd", 3), "abc…");
  EXPECT_EQ(beginning("a世b", 3), "a…");
}

}  // namespace
}  // namespace tofud::text
