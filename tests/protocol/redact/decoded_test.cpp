#include "protocol/redact/decoded.hpp"

#include <gtest/gtest.h>

namespace tofud::redact {
namespace {

std::string unescaped(std::string_view text) {
  std::string out;
  unescape(text, out);
  return out;
}

TEST(Unescape, KnowsTheEscapesOfJsonGoAndHcl) {
  EXPECT_EQ(unescaped(R"(a\n\t\"\\\/\'b)"), "a\n\t\"\\/'b");
  EXPECT_EQ(unescaped(R"(\x41\u0042\U00000043\u00fc)"), "ABC\xC3\xBC");
  EXPECT_EQ(unescaped(R"(\ud83d\ude00 \U0001F600)"), "\xF0\x9F\x98\x80 \xF0\x9F\x98\x80");
}

TEST(Unescape, LeavesWhatIsNoEscape) {
  for (const char* text : {"\\", "\\q", "\\x4", "\\u12", "\\u12g4", "\\U00110000", "a\\"}) {
    EXPECT_EQ(unescaped(text), text);
  }
}

TEST(Unpercent, ReadsPairsOfDigits) {
  std::string out;
  unpercent("%41%2fb%zz%4", out);
  EXPECT_EQ(out, "A/b%zz%4");
}

TEST(Decoded, EachByteHasItsOffsetInTheSource) {
  const std::string source = R"(ab\n\u00fcc\\d)";
  decoded what;
  unescape(source, what.text, &what.escapes);
  ASSERT_EQ(what.text,
            "ab\n\xC3\xBC"
            "c\\d");
  const auto part = [&](std::size_t begin, std::size_t end) {
    return source.substr(what.source_begin(begin), what.source_end(end) - what.source_begin(begin));
  };
  EXPECT_EQ(part(0, 2), "ab");
  EXPECT_EQ(part(2, 3), R"(\n)");
  EXPECT_EQ(part(1, 5), R"(b\n\u00fc)");
  EXPECT_EQ(part(3, 4), R"(\u00fc)");  // half a character is all of its escape
  EXPECT_EQ(part(4, 5), R"(\u00fc)");
  EXPECT_EQ(part(5, 6), "c");
  EXPECT_EQ(part(5, 8), R"(c\\d)");
  EXPECT_EQ(part(0, 8), source);
}

}  // namespace
}  // namespace tofud::redact
