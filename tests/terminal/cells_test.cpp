#include "daemon/terminal/cells.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal {
namespace {

TEST(Cells, EmojiFormOfACharacterIsWide) {
  EXPECT_EQ(cells("\xE2\x9D\xA4"), 1U);
  EXPECT_EQ(cells("\xE2\x9D\xA4\xEF\xB8\x8F"), 2U);
}

TEST(Cells, AreCountedAsATerminalDraws) {
  EXPECT_EQ(cells(""), 0U);
  EXPECT_EQ(cells("aws_instance.web[0]"), 19U);
  EXPECT_EQ(cells("日本語"), 6U);
  EXPECT_EQ(cells("e\u0301tat"), 4U);
  EXPECT_EQ(cells("🚀"), 2U);
}

TEST(Cells, InvalidByteTakesOneCell) { EXPECT_EQ(cells("a\xff\xfe"), 3U); }

TEST(CutEnd, AFittingTextStaysAsItIs) {
  EXPECT_EQ(cut_end("abc", 3, "…"), "abc");
  EXPECT_EQ(cut_end("", 0, "…"), "");
}

TEST(CutEnd, NeverPassesTheWidth) {
  EXPECT_EQ(cut_end("abcdef", 4, "…"), "abc…");
  EXPECT_EQ(cut_end("abcdef", 4, "..."), "a...");
  EXPECT_EQ(cut_end("abcdef", 2, "..."), "..");
  EXPECT_EQ(cut_end("日本語", 4, "…"), "日…");
}

TEST(CutEnd, KeepsACombiningCharacterWithItsLetter) {
  EXPECT_EQ(cut_end("abce\u0301fghi", 5, "…"), "abce\u0301…");
}

TEST(CutMiddle, KeepsBothEnds) {
  EXPECT_EQ(cut_middle("module.network.aws_subnet.private[2]", 20, "…"), "module.net…rivate[2]");
  EXPECT_EQ(cut_middle("abcdefgh", 5, "..."), "a...h");
  EXPECT_EQ(cut_middle("abcdefgh", 8, "…"), "abcdefgh");
}

TEST(CutMiddle, CutsNoWideCharacterInTwo) {
  for (std::size_t width = 0; width < 14; ++width) {
    EXPECT_LE(cells(cut_middle("日本語日本語", width, "…")), width);
  }
}

}  // namespace
}  // namespace tofud::terminal
