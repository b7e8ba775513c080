#include "protocol/text/characters.hpp"

#include <gtest/gtest.h>

namespace tofud::text {
namespace {

TEST(Characters, StringsAreQuotedAsGoQuotesThem) {
  EXPECT_EQ(quoted("a \"b\" \\ é世🚀"), "\"a \\\"b\\\" \\\\ é世🚀\"");
  EXPECT_EQ(quoted("\n\t\r\a\x1b\x7f"), "\"\\n\\t\\r\\a\\x1b\\x7f\"");
  EXPECT_EQ(quoted("\u0080\u00a0\u202e\U000e0001"), "\"\\u0080\\u00a0\\u202e\\U000e0001\"");
  EXPECT_EQ(quoted("\xff"), "\"\\xff\"");
}

TEST(Characters, NamesAreThoseOfOpenTofusLanguage) {
  for (const char* name : {"a", "_x", "a-b", "a1", "é", "世界"}) {
    EXPECT_TRUE(is_identifier(name)) << name;
  }
  for (const char* name : {"", "1a", "-a", "a b", "a.b", "$", "\xff"}) {
    EXPECT_FALSE(is_identifier(name)) << name;
  }
}

TEST(Characters, ControlsBecomePicturesButForThoseOfPlainText) {
  using namespace std::literals;
  EXPECT_EQ(control_pictures("\x1b[1m\0\x7f\t\r\n"sv), "␛[1m␀␡\t\r\n");
}

TEST(Characters, BytesThatAreNoUtf8AreReplacedOnlyBesideControls) {
  EXPECT_EQ(control_pictures("\xff"), "\xff");
  EXPECT_EQ(control_pictures("\xff\x1b"), "\uFFFD␛");
}

TEST(Characters, TrimmingTakesAllWhiteSpaceOfUnicode) {
  EXPECT_EQ(trim(" \u00a0\u3000x y\u2028\n"), "x y");
  EXPECT_EQ(trim(" \n"), "");
}

}  // namespace
}  // namespace tofud::text
