#include "daemon/settings/value.hpp"

#include <gtest/gtest.h>

namespace tofud::settings {
namespace {

using namespace std::chrono_literals;

TEST(Size, IsReadInUnitsOf1024) {
  const std::vector<std::pair<std::string, std::uint64_t>> sizes{{"0", 0},
                                                                 {"4096", 4096},
                                                                 {"7B", 7},
                                                                 {"1K", 1024},
                                                                 {"64KiB", 65536},
                                                                 {"64kb", 65536},
                                                                 {"2 MiB", 2097152},
                                                                 {"20GiB", 21474836480},
                                                                 {"5GB", 5368709120},
                                                                 {"1t", 1099511627776},
                                                                 {"3TiB", 3298534883328}};
  for (const auto& [text, bytes] : sizes) EXPECT_EQ(parse_size(text).value(), bytes) << text;
}

TEST(Size, InvalidSizeIsRefused) {
  for (const char* text : {"", "GiB", "-1", "1.5GiB", "1XB", "0x10", "9223372036854775808",
                           "9999999999TiB", " 1", "1KiB "})
    EXPECT_FALSE(parse_size(text)) << text;
}

TEST(Size, IsWrittenInItsLargestUnit) {
  EXPECT_EQ(size_text(0), "0B");
  EXPECT_EQ(size_text(1000), "1000B");
  EXPECT_EQ(size_text(65536), "64KiB");
  EXPECT_EQ(size_text(21474836480), "20GiB");
  EXPECT_EQ(size_text(21474836481), "21474836481B");
}

TEST(Duration, IsReadWithItsUnit) {
  const std::vector<std::pair<std::string, std::chrono::milliseconds>> times{
      {"500ms", 500ms}, {"5s", 5s}, {"2m", 2min}, {"1h", 1h}, {"7d", 168h}, {"0s", 0s}};
  for (const auto& [text, time] : times) EXPECT_EQ(parse_duration(text).value(), time) << text;
}

TEST(Duration, MissingUnitOrNonsenseIsRefused) {
  for (const char* text : {"", "5", "s", "5 weeks", "-5s", "1.5s", "99999999999999999d"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Duration, IsWrittenInItsLargestUnit) {
  EXPECT_EQ(duration_text(0ms), "0s");
  EXPECT_EQ(duration_text(1500ms), "1500ms");
  EXPECT_EQ(duration_text(90s), "90s");
  EXPECT_EQ(duration_text(120s), "2m");
  EXPECT_EQ(duration_text(168h), "7d");
}

TEST(Quoted, LeavesNoControlCharacterToATerminal) {
  EXPECT_EQ(toml_string("plain ü"), "\"plain ü\"");
  EXPECT_EQ(toml_string("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(toml_string("\x1b[31m\n\x7f"), R"("\u001B[31m\u000A\u007F")");
  EXPECT_EQ(toml_string("\xc2\x9b"), R"("\u009B")");
}

}  // namespace
}  // namespace tofud::settings
