#include "protocol/json/quote.hpp"

#include "protocol/text/utf8.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace tofud::json {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

struct cut_text {
  std::string written;    // without the quotes
  std::size_t taken = 0;  // bytes of the source
};

cut_text cut(std::string_view text, std::size_t budget) {
  std::string out;
  const std::size_t taken = append_quoted_cut(out, text, budget);
  return {out.substr(1, out.size() - 2), taken};
}

std::string parsed(std::string_view json) {
  return std::string{boost::json::parse({json.data(), json.size()}).as_string()};
}

// A mixture of what matters here: plain text, escapes, characters of every length, stray bytes.
std::string random_text(std::mt19937& random) {
  constexpr std::array<std::string_view, 14> pieces{
      "plain", "\"", "\\", "\n",   "\x01",     "\x1f",         "\x7f",
      "ä",     "€",  "😀",  "\xff", "\xe2\x82", "\xed\xa0\x80", "\x80"};
  std::string text;
  for (std::size_t count = random() % 12; count > 0; --count)
    text += pieces[random() % pieces.size()];
  return text;
}

TEST(Quote, TextWithoutSpecialCharactersStandsAsItIs) {
  EXPECT_EQ(in_quotes(""), R"("")");
  EXPECT_EQ(in_quotes("aws_vpc.main"), R"("aws_vpc.main")");
  EXPECT_EQ(in_quotes("grün € 😀 </script>\x7f"), "\"grün € 😀 </script>\x7f\"");
}

TEST(Quote, EveryControlCharacterQuoteAndBackslashIsEscaped) {
  EXPECT_EQ(in_quotes("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(in_quotes(std::string_view{"\0", 1}), R"("\u0000")");
  EXPECT_EQ(in_quotes("\x1b[0m\x0b"), R"("\u001b[0m\u000b")");
  for (int c = 0; c < 0x80; ++c) {
    const std::string text(1, static_cast<char>(c));
    EXPECT_EQ(parsed(in_quotes(text)), text) << c;
    EXPECT_EQ(in_quotes(text).size() == 3, c >= 0x20 && c != '"' && c != '\\') << c;
  }
}

TEST(Quote, AppendsToItsText) {
  std::string out = "{\"a\":";
  append_quoted(out, "b");
  EXPECT_EQ(out, R"({"a":"b")");
}

TEST(Quote, EachByteThatIsNoUtf8BecomesAReplacementCharacter) {
  EXPECT_EQ(in_quotes("a\xff\xfe"
                      "b"),
            "\"a\uFFFD\uFFFDb\"");
  EXPECT_EQ(in_quotes("\xe2\x82"), "\"\uFFFD\uFFFD\"");
  EXPECT_EQ(in_quotes("\xe2\x82\xac\x80"), "\"€\uFFFD\"");
  EXPECT_EQ(text::replace_invalid_utf8("a\xff\n\"€"), "a\uFFFD\n\"€");
}

struct utf8_case {
  std::string_view name, bytes;
  bool valid;
};

// RFC 3629, section 3 and 4: the first and last of every range, and what lies just outside.
constexpr std::array<utf8_case, 32> utf8_cases{{
    {"nothing", "", true},
    {"ascii", "\x01\x7f", true},
    {"first of two bytes, U+0080", "\xc2\x80", true},
    {"last of two bytes, U+07FF", "\xdf\xbf", true},
    {"first of three bytes, U+0800", "\xe0\xa0\x80", true},
    {"before the surrogates, U+D7FF", "\xed\x9f\xbf", true},
    {"behind the surrogates, U+E000", "\xee\x80\x80", true},
    {"noncharacter U+FFFF", "\xef\xbf\xbf", true},
    {"byte order mark", "\xef\xbb\xbf", true},
    {"first of four bytes, U+10000", "\xf0\x90\x80\x80", true},
    {"last of all, U+10FFFF", "\xf4\x8f\xbf\xbf", true},
    {"stray continuation", "\x80", false},
    {"last continuation", "\xbf", false},
    {"overlong slash of two bytes", "\xc0\xaf", false},
    {"overlong NUL", "\xc0\x80", false},
    {"overlong U+007F", "\xc1\xbf", false},
    {"overlong of three bytes", "\xe0\x80\xaf", false},
    {"overlong U+07FF", "\xe0\x9f\xbf", false},
    {"overlong of four bytes", "\xf0\x80\x80\xaf", false},
    {"overlong U+FFFF", "\xf0\x8f\xbf\xbf", false},
    {"first high surrogate", "\xed\xa0\x80", false},
    {"last low surrogate", "\xed\xbf\xbf", false},
    {"surrogate pair (CESU-8)", "\xed\xa0\xbd\xed\xb8\x80", false},
    {"U+110000", "\xf4\x90\x80\x80", false},
    {"lead F5", "\xf5\x80\x80\x80", false},
    {"five bytes", "\xf8\x88\x80\x80\x80", false},
    {"FE", "\xfe", false},
    {"FF", "\xff", false},
    {"two bytes, one there", "\xc3", false},
    {"three bytes, two there", "\xe2\x82", false},
    {"four bytes, three there", "\xf0\x9f\x98", false},
    {"lead before ascii",
     "\xe2\x82"
     "a",
     false},
}};

TEST(Utf8, IsAsRfc3629Defines) {
  for (const auto& [name, bytes, valid] : utf8_cases) {
    EXPECT_EQ(text::valid_utf8(bytes), valid) << name;
    EXPECT_EQ(text::valid_utf8("before" + std::string{bytes} + "behind"), valid) << name;
    EXPECT_EQ(text::replace_invalid_utf8(bytes) == bytes, valid) << name;
    EXPECT_TRUE(text::valid_utf8(text::replace_invalid_utf8(bytes))) << name;
    EXPECT_TRUE(text::valid_utf8(in_quotes(bytes))) << name;
  }
}

TEST(Utf8, EveryCodePointIsValidButTheSurrogates) {
  std::string all;
  const auto encode = [](std::uint32_t c) {
    const auto tail = [c](unsigned shift) {
      return static_cast<char>(0x80U | (c >> shift & 0x3fU));
    };
    if (c < 0x80) return std::string{static_cast<char>(c)};
    if (c < 0x800) return std::string{static_cast<char>(0xc0U | c >> 6U), tail(0)};
    if (c < 0x10000) return std::string{static_cast<char>(0xe0U | c >> 12U), tail(6), tail(0)};
    return std::string{static_cast<char>(0xf0U | c >> 18U), tail(12), tail(6), tail(0)};
  };
  for (std::uint32_t c = 0; c <= 0x10ffff; ++c) {
    const bool surrogate = c >= 0xd800 && c <= 0xdfff;
    const std::string character = encode(c);
    if (text::valid_utf8(character) == surrogate) ADD_FAILURE() << "code point " << c;
    if (!surrogate && text::replace_invalid_utf8(character) != character)
      ADD_FAILURE() << "code point " << c;
  }
}

TEST(QuoteCut, TakesWhatFitsTheBudget) {
  EXPECT_EQ(cut("abcdef", 4).written, "abcd");
  EXPECT_EQ(cut("abcdef", 4).taken, 4U);
  EXPECT_EQ(cut("abcdef", 6).written, "abcdef");
  EXPECT_EQ(cut("abcdef", 100).taken, 6U);
  EXPECT_EQ(cut("abcdef", 0).written, "");
  EXPECT_EQ(cut("", 0).taken, 0U);
}

TEST(QuoteCut, NeverSplitsAnEscape) {
  EXPECT_EQ(cut("a\nb", 2).written, "a");
  EXPECT_EQ(cut("a\nb", 3).written, "a\\n");
  for (std::size_t budget = 1; budget < 7; ++budget) EXPECT_EQ(cut("a\x1b", budget).written, "a");
  EXPECT_EQ(cut("a\x1b", 7).written, "a\\u001b");
}

TEST(QuoteCut, NeverSplitsACharacter) {
  for (std::size_t budget = 0; budget < 4; ++budget) EXPECT_EQ(cut("😀", budget).written, "");
  EXPECT_EQ(cut("😀", 4).taken, 4U);
  EXPECT_EQ(cut("a€b", 3).taken, 1U);
  EXPECT_EQ(cut("a\xff", 3).written, "a");
  EXPECT_EQ(cut("a\xff", 4).written, "a\uFFFD");
}

TEST(QuoteCut, StopsAtTheFirstThatDoesNotFit) {
  EXPECT_EQ(cut("€a", 2).written, "");
  EXPECT_EQ(cut("\x01"
                "a",
                5)
                .written,
            "");
}

TEST(Quote, SizeIsWhatIsWrittenAndCutsArePrefixesForAnyTextAndBudget) {
  std::mt19937 random{20260101};
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_text(random);
    const std::string whole = in_quotes(text);
    ASSERT_EQ(quoted_size(text), whole.size()) << text;
    ASSERT_TRUE(text::valid_utf8(whole)) << text;
    ASSERT_EQ(parsed(whole), text::replace_invalid_utf8(text)) << text;
    ASSERT_EQ(text::valid_utf8(text), text::replace_invalid_utf8(text) == text) << text;
    for (std::size_t budget = 0; budget <= whole.size(); ++budget) {
      const cut_text some = cut(text, budget);
      ASSERT_LE(some.written.size(), budget);
      ASSERT_EQ(some.written, whole.substr(1, some.written.size()));
      ASSERT_EQ(parsed('"' + some.written + '"'),
                text::replace_invalid_utf8(text.substr(0, some.taken)));
      ASSERT_EQ(some.taken == text.size(), budget >= whole.size() - 2);
    }
  }
}

TEST(Quote, EveryPairOfBytesComesOutAsValidJson) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const std::string whole = in_quotes(text);
      ASSERT_EQ(quoted_size(text), whole.size()) << first << ' ' << second;
      ASSERT_EQ(parsed(whole), text::replace_invalid_utf8(text)) << first << ' ' << second;
    }
  }
}

}  // namespace
}  // namespace tofud::json
