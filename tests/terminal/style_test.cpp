#include "daemon/terminal/style.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tofud::terminal {
namespace {

charset of(const std::map<std::string, std::string>& variables) {
  return charset_of([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Charset, FirstVariableOfTheLocaleThatIsNotEmptyDecides) {
  EXPECT_EQ(of({{"LANG", "de_DE.UTF-8"}}), charset::utf8);
  EXPECT_EQ(of({{"LANG", "C.utf8"}}), charset::utf8);
  EXPECT_EQ(of({{"LANG", "de_DE@euro"}}), charset::ascii);
  EXPECT_EQ(of({{"LANG", "de_DE.UTF-8"}, {"LC_ALL", "C"}}), charset::ascii);
  EXPECT_EQ(of({{"LANG", "C"}, {"LC_CTYPE", "C.UTF-8"}}), charset::utf8);
  EXPECT_EQ(of({{"LANG", "C.UTF-8"}, {"LC_CTYPE", "POSIX"}}), charset::ascii);
  EXPECT_EQ(of({{"LANG", "C.UTF-8"}, {"LC_ALL", ""}}), charset::utf8);
  EXPECT_EQ(of({}), charset::ascii);
}

TEST(Charset, MarksHaveAsciiForms) {
  EXPECT_EQ(in_charset("✓ a · b ✗ …", charset::ascii), "ok a - b x ...");
  EXPECT_EQ(in_charset("✓ a · b ✗ …", charset::utf8), "✓ a · b ✗ …");
}

TEST(Charset, NoByteBeyondAsciiReachesATerminalWithoutUtf8) {
  // U+011B is C4 9B: to a terminal of Latin 1 the second byte is CSI.
  EXPECT_EQ(in_charset("m\xC4\x9B[2Jsto 世", charset::ascii), "m?[2Jsto ?");
  EXPECT_EQ(in_charset("\x9b\xff\x80", charset::ascii), "??");
}

TEST(Style, PaintsOnlyIfColoured) {
  EXPECT_EQ((style{true, charset::utf8}).paint(hue::red, "x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ((style{true, charset::utf8}).paint(hue::none, "x"), "x");
  EXPECT_EQ((style{true, charset::utf8}).paint(hue::red, ""), "");
  EXPECT_EQ(style{}.paint(hue::red, "x"), "x");
}

TEST(OneLine, IsOneLineWithoutControls) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31md\x1b]0;x\a\r"), "a b cd");
}

}  // namespace
}  // namespace tofud::terminal
