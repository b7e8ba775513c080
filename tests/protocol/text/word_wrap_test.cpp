#include "protocol/text/word_wrap.hpp"

#include <gtest/gtest.h>

namespace tofud::text {
namespace {

TEST(WordWrap, BreaksBeforeTheWordThatWouldPassTheWidth) {
  EXPECT_EQ(wrap_words("aaa bbb ccc", 7), "aaa bbb\nccc");
  EXPECT_EQ(wrap_words("aaa bbb ccc", 6), "aaa\nbbb\nccc");
}

TEST(WordWrap, TheWhiteSpaceAtABreakGoes) {
  EXPECT_EQ(wrap_words("aaa    bbb", 6), "aaa\nbbb");
  EXPECT_EQ(wrap_words("aaa\t bbb", 9), "aaa\t bbb");
}

TEST(WordWrap, AWordIsNeverCut) { EXPECT_EQ(wrap_words("a bbbbbbbb c", 4), "a\nbbbbbbbb\nc"); }

TEST(WordWrap, ALineThatBeginsWithAWordTooLongBeginsWithIt) {
  EXPECT_EQ(wrap_words("bbbbbbbb c", 4), "bbbbbbbb\nc");
}

TEST(WordWrap, CountsCharactersNotBytesOrCells) {
  EXPECT_EQ(wrap_words("ééé 世界 x", 6), "ééé 世界\nx");
}

TEST(WordWrap, ANoBreakSpaceIsPartOfAWord) {
  EXPECT_EQ(wrap_words("aa b\u00a0b", 5), "aa\nb\u00a0b");
}

TEST(WordWrap, WhiteSpaceAtTheEndStaysIfItFits) {
  EXPECT_EQ(wrap_words("aaa ", 4), "aaa ");
  EXPECT_EQ(wrap_words("aaa  ", 4), "aaa");
  EXPECT_EQ(wrap_words("", 4), "");
}

}  // namespace
}  // namespace tofud::text
