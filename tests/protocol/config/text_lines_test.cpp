#include "protocol/config/text_lines.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tofud::config {
namespace {

TEST(TextLines, CountLinesAndCharactersFromOne) {
  text_lines lines{"a\xc3\xa4z\n\nb"};
  EXPECT_EQ(lines.at(0), (position{1, 1}));
  EXPECT_EQ(lines.at(3), (position{1, 3}));
  EXPECT_EQ(lines.at(4), (position{1, 4}));
  EXPECT_EQ(lines.at(5), (position{2, 1}));
  EXPECT_EQ(lines.at(6), (position{3, 1}));
  EXPECT_EQ(lines.at(7), (position{3, 2}));
  EXPECT_EQ(lines.at(700), (position{3, 2}));
}

TEST(TextLines, MayBeAskedInAnyOrder) {
  const std::string_view text = "\xc3\xa4\xc3\xb6\xc3\xbc\n12345\n";
  text_lines asked{text};
  for (const std::size_t offset : std::array<std::size_t, 8>{9, 4, 2, 8, 11, 4, 6, 0}) {
    EXPECT_EQ(asked.at(offset), text_lines{text}.at(offset)) << offset;
  }
}

TEST(TextLines, BeginBehindAByteOrderMark) {
  text_lines lines{
      "\xef\xbb\xbf"
      "ab"};
  EXPECT_EQ(lines.at(0), (position{1, 1}));
  EXPECT_EQ(lines.at(4), (position{1, 2}));
}

}  // namespace
}  // namespace tofud::config
