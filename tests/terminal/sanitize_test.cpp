#include "daemon/terminal/sanitize.hpp"

#include "protocol/text/utf8.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace tofud::terminal {
namespace {

std::string stripped(std::string_view text) { return sanitize(text, colours::strip); }
std::string kept(std::string_view text) { return sanitize(text, colours::keep); }

// What may be in a cleaned text: no control but tab and newline, no C1, no bidirectional override,
// and of sequences only whole SGR ones. Says what is wrong, or nothing.
std::string complaint(std::string_view text, colours wanted) {
  if (!text::valid_utf8(text)) return "no UTF-8";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::string_view rest = text.substr(i);
    if (c == 0x1b && wanted == colours::keep) {
      const std::size_t end = text.find_first_not_of("0123456789;:", i + 2);
      if (!rest.starts_with("\x1b[") || end == std::string_view::npos || text[end] != 'm')
        return "a sequence";
      i = end;
    } else if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f) {
      return "control " + std::to_string(c);
    }
    if (c == 0xc2 && static_cast<unsigned char>(rest[1]) < 0xa0) return "C1";
    for (const char* const mark : {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066",
                                   "\u2067", "\u2068", "\u2069", "\u200e", "\u200f", "\u061c"}) {
      if (rest.starts_with(mark)) return "a bidirectional mark";
    }
  }
  return "";
}

TEST(Sanitize, OrdinaryTextStaysAsItIs) {
  for (const char* const text :
       {"", "aws_vpc.main: creating", "grün € 😀 日本語", "a\tb\nc", " \xc2\xa0 ", "~!@#[]^_`{|}"}) {
    EXPECT_EQ(stripped(text), text);
    EXPECT_EQ(kept(text), text);
  }
}

TEST(Sanitize, ControlCharactersButTabAndNewlineAreRemoved) {
  std::string all;
  for (int c = 0; c < 0x20; ++c) {
    if (c != 0x1b) all += static_cast<char>(c);
  }
  EXPECT_EQ(stripped("a" + all +
                     "\x7f"
                     "b"),
            "a\t\nb");
  EXPECT_EQ(stripped("10%\r20%\r\n"), "10%20%\n");
}

TEST(Sanitize, ColoursAreKeptOrStrippedAsAsked) {
  EXPECT_EQ(stripped("\x1b[1;32mready\x1b[0m"), "ready");
  EXPECT_EQ(kept("\x1b[1;32mready\x1b[0m"), "\x1b[1;32mready\x1b[0m\x1b[0m");
  EXPECT_EQ(kept("\x1b[38:2::255:0:0mred"), "\x1b[38:2::255:0:0mred\x1b[0m");
  EXPECT_EQ(kept("\x1b[mx"), "\x1b[mx\x1b[0m");
}

TEST(Sanitize, KeptColoursAreResetAtTheEndAndTextWithoutThemIsNot) {
  EXPECT_TRUE(kept("\x1b[8mhidden").ends_with("\x1b[0m"));
  EXPECT_EQ(kept("plain \x1b[2J"), "plain ");
}

TEST(Sanitize, OtherSequencesWithAnMAreNoColours) {
  EXPECT_EQ(kept("\x1b[?25mx"), "x");
  EXPECT_EQ(kept("\x1b[>4;2mx"), "x");
  EXPECT_EQ(kept("\x1b[1 mx"), "x");
}

struct attack {
  const char *name, *text, *left;
};

constexpr std::array attacks{
    attack{"clear the screen", "a\x1b[2Jb", "ab"},
    attack{"cursor to the top", "a\x1b[1;1Hb", "ab"},
    attack{"cursor up and erase", "a\x1b[3A\x1b[2Kb", "ab"},
    attack{"scroll region", "a\x1b[5;10rb", "ab"},
    attack{"alternate screen", "a\x1b[?1049hb", "ab"},
    attack{"ask for a report", "a\x1b[6n\x1b[c\x1b[>q\x1b[21tb", "ab"},
    attack{"title", "a\x1b]0;pwned\ab", "ab"},
    attack{"title ended by ST", "a\x1b]2;pwned\x1b\\b", "ab"},
    attack{"link", "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "click"},
    attack{"clipboard", "a\x1b]52;c;cm0gLXJm\ab", "ab"},
    attack{"colour palette", "a\x1b]4;1;rgb:00/00/00\ab", "ab"},
    attack{"DCS", "a\x1bP1$r0m\x1b\\b", "ab"},
    attack{"sixel", "a\x1bPq#0;2;0;0;0~~\x1b\\b", "ab"},
    attack{"APC", "a\x1b_Gf=32;AAAA\x1b\\b", "ab"},
    attack{"PM", "a\x1b^secret\x1b\\b", "ab"},
    attack{"SOS", "a\x1bXsecret\x1b\\b", "ab"},
    attack{"newline inside a title", "a\x1b]0;x\ny\ab", "ab"},
    attack{"string broken off by a colour", "a\x1b]0;x\x1b[1mb", "ab"},
    attack{"reset",
           "a\x1b"
           "cb",
           "ab"},
    attack{"save and restore",
           "a\x1b"
           "7\x1b"
           "8b",
           "ab"},
    attack{"character set", "a\x1b(0b", "ab"},
    attack{"UTF-8 off", "a\x1b%@b", "ab"},
    attack{"7 bit C1", "a\x1b Fb", "ab"},
    attack{"C1 CSI in UTF-8",
           "a\xc2\x9b"
           "2Jb",
           "a2Jb"},
    attack{"C1 OSC in UTF-8",
           "a\xc2\x9d"
           "0;x\xc2\x9c"
           "b",
           "a0;xb"},
    attack{"next line in UTF-8",
           "a\xc2\x85"
           "b",
           "ab"},
    attack{"C1 CSI in Latin-1",
           "a\x9b"
           "2Jb",
           "a\uFFFD2Jb"},
    attack{"override",
           "a\u202e"
           "b\u202c",
           "ab"},
    attack{"isolate",
           "a\u2066"
           "b\u2069",
           "ab"},
    attack{"marks",
           "a\u200e\u200f\u061c"
           "b",
           "ab"},
    attack{"escape alone", "a\x1b", "a"},
    attack{"CSI that never ends", "a\x1b[", "a"},
    attack{"CSI with parameters that never ends", "a\x1b[12;34", "a"},
    attack{"title that never ends", "a\x1b]0;x", "a"},
    attack{"title that ends in an escape", "a\x1b]0;x\x1b", "a"},
    attack{"DCS that never ends", "a\x1bPx", "a"},
    attack{"character set that never ends", "a\x1b(", "a"},
    attack{"escape of an escape", "a\x1b\x1b[2Jb", "ab"},
    attack{"CSI inside a CSI", "a\x1b[\x1b[2Jb", "ab"},
    attack{"title inside a CSI", "a\x1b[1\x1b]0;x\ab", "ab"},
    attack{"escape inside a character set", "a\x1b(\x1b]0;x\ab", "ab"},
    attack{"CSI broken off by a newline", "a\x1b[1\nb", "a\nb"},
    attack{"escape broken off by a newline", "a\x1b\nb", "a\nb"},
    attack{"CSI broken off by a letter of two bytes", "a\x1b[\u00db31m", "a\u00db31m"},
    attack{"escape before a letter of two bytes", "a\x1b\u00e9", "a\u00e9"},
    attack{"character set before a letter of three bytes", "a\x1b(\u20ac", "a\u20ac"},
    attack{"parts of a colour around a removed character", "a\x1b\xc2\x9b[31mb", "a[31mb"},
};

TEST(Sanitize, SequencesThatSteerTheTerminalAreRemoved) {
  for (const auto& [name, text, left] : attacks) {
    EXPECT_EQ(stripped(text), left) << name;
    EXPECT_EQ(complaint(stripped(text), colours::strip), "") << name;
    EXPECT_EQ(complaint(kept(text), colours::keep), "") << name;
  }
}

TEST(Sanitize, BytesThatAreNoUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(stripped("a\xff\xe2\x82"
                     "b"),
            "a\uFFFD\uFFFD\uFFFDb");
}

TEST(Sanitize, AnyTextCutAnywhereIsClean) {
  std::string all;
  for (const attack& a : attacks) all += a.text;
  for (std::size_t size = 0; size <= all.size(); ++size) {
    ASSERT_EQ(complaint(stripped(std::string_view{all}.substr(size)), colours::strip), "") << size;
    ASSERT_EQ(complaint(kept(std::string_view{all}.substr(0, size)), colours::keep), "") << size;
  }
}

TEST(Sanitize, RandomBytesNeverLeaveASequenceButColours) {
  constexpr std::string_view likely =
      "\x1b\x1b\x1b[]P_^X(\\\a\n;:?0123m\xc2\x9b\xe2\x80\xae\x81\xa6\xc3\x9f\xf0 aH";
  std::mt19937 random{1};
  for (int round = 0; round < 50'000; ++round) {
    std::string text(random() % 16, ' ');
    for (char& c : text)
      c = random() % 4 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    for (const colours wanted : {colours::strip, colours::keep}) {
      const std::string clean = sanitize(text, wanted);
      ASSERT_EQ(complaint(clean, wanted), "")
          << testing::PrintToString(text) << " gave " << testing::PrintToString(clean);
    }
    const std::string once = stripped(text);
    ASSERT_EQ(stripped(once), once) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace tofud::terminal
