#include "daemon/settings/file.hpp"

#include "daemon/settings/limits.hpp"

#include <gtest/gtest.h>

namespace tofud::settings {
namespace {

std::vector<std::string> failures_of(const std::string& text) {
  std::vector<std::string> all;
  for (const auto& each : parse_file("f", text).failures) all.push_back(to_string(each));
  return all;
}

using sentences = std::vector<std::string>;

TEST(ConfigFile, GivesItsOptionsWithTheirPlaces) {
  const auto content = parse_file("/etc/f.toml",
                                  "# comment\n"
                                  "listen = [\"127.0.0.1:1\"]\n"
                                  "[retain]\n"
                                  "  days = 7\n"
                                  "bytes = \"5GiB\"\n");
  EXPECT_TRUE(content.failures.empty());
  std::vector<std::string> seen;
  for (const auto& each : content.assigned)
    seen.push_back(std::string{each.of->key} + " " + toml_text(*each.of, each.to) + " " +
                   to_string(each.at));
  EXPECT_EQ(seen,
            (sentences{"listen [\"127.0.0.1:1\"] /etc/f.toml:2:1",
                       "retain.bytes \"5GiB\" /etc/f.toml:5:1", "retain.days 7 /etc/f.toml:4:3"}));
}

TEST(ConfigFile, AcceptsEveryTomlFormOfASection) {
  for (const char* text :
       {"[retain]\ndays = 7\n", "retain.days = 7\n", "retain = { days = 7 }\n"}) {
    const auto content = parse_file("f", text);
    ASSERT_EQ(content.assigned.size(), 1U) << text;
    EXPECT_EQ(content.assigned[0].of->key, "retain.days");
  }
}

TEST(ConfigFile, EmptyFileSetsNothing) {
  for (const char* text : {"", "\n\n", "# comment", "[retain]\n[tls]\n"}) {
    EXPECT_TRUE(parse_file("f", text).assigned.empty());
    EXPECT_TRUE(failures_of(text).empty());
  }
}

struct mistake {
  std::string text;
  sentences told;
};

TEST(ConfigFile, MistakesAreReportedWithTheirPlaces) {
  const std::vector<mistake> mistakes{
      {"lisen = []\n", {"f:1:1: unknown option lisen; did you mean listen?"}},
      {"[retain]\n  dais = 1\n", {"f:2:3: unknown option retain.dais; did you mean retain.days?"}},
      {"days = 1\n", {"f:1:1: unknown option days; did you mean retain.days?"}},
      {"[tsl]\ncert = 1\n", {"f:1:2: unknown option tsl; did you mean tls?"}},
      {"colour = 1\n", {"f:1:1: unknown option colour"}},
      {"\"retain.days\" = 1\n",
       {"f:1:1: unknown option \"retain.days\"; did you mean retain.days?"}},
      {"\"\\u001b[31m\" = 1\n", {"f:1:1: unknown option \"\\u001B[31m\""}},
      {"retain = 3\n", {"f:1:10: retain is a section; write its options below [retain]"}},
      {"[[retain]]\ndays = 1\n", {"f:1:1: retain is a section; write its options below [retain]"}},
      {"retain.days = \"hunter22\"\n",
       {"f:1:15: retain.days must be a whole number, but this is text"}},
      {"retain.days = 7.5\n",
       {"f:1:15: retain.days must be a whole number, but this is a number with a point"}},
      {"retain.days = -1\n", {"f:1:15: retain.days is negative"}},
      {"retain.days = 1979-05-27\n",
       {"f:1:15: retain.days must be a whole number, but this is a date or time"}},
      {"retain.bytes = \"many\"\n",
       {"f:1:16: retain.bytes must be bytes such as 4096 or \"64KiB\", but this is \"many\""}},
      {"limits.header_time = 5\n",
       {"f:1:22: limits.header_time must be a time with its unit in quotes, such as \"5s\", but "
        "this is a whole number"}},
      {"listen = \"127.0.0.1:1\"\n",
       {"f:1:10: listen must be a list such as [\"ADDR:PORT\"], but this is text"}},
      {"listen = [1]\n",
       {"f:1:11: listen must contain only text in quotes, but this is a whole number"}},
      {"mask_file = \"secrets\"\n",
       {"f:1:13: mask_file is not an absolute path; in a file it must begin with /"}},
      {"insecure = \"no\"\n", {"f:1:12: insecure must be true or false, but this is text"}},
      {"limits.live_runs = 0\n", {"f:1:20: limits.live_runs is 0; it is at least 1"}},
      {"limits.header_bytes = \"1TB\"\n",
       {"f:1:23: limits.header_bytes is 1TiB; it is at most 256KiB"}},
      {"proxy.trusted = [\"unix\", \"unit\"]\n",
       {"f:1:26: proxy.trusted has \"unit\", which is not a network such as 10.0.0.0/8 or "
        "fd00::/8, an address, or unix; a user of this machine may follow after @, as in "
        "127.0.0.1@www-data"}},
  };
  for (const mistake& each : mistakes) EXPECT_EQ(failures_of(each.text), each.told) << each.text;
}

TEST(ConfigFile, AllMistakesAreReportedAtOnceInTheirOrder) {
  const auto told = failures_of(
      "state_dir = 1\n"
      "lisen = []\n"
      "retain.days = 1\n"
      "retain.days = 2\n"
      "socket = nothing\n"
      "allow_hosts = []\n");
  ASSERT_EQ(told.size(), 5U);
  EXPECT_TRUE(told[0].starts_with("f:1:13: state_dir must be ")) << told[0];
  EXPECT_EQ(told[1], "f:2:1: unknown option lisen; did you mean listen?");
  EXPECT_TRUE(told[2].starts_with("f:4:")) << told[2];
  EXPECT_NE(told[2].find("cannot redefine existing integer 'retain.days'"), told[2].npos)
      << told[2];
  EXPECT_TRUE(told[3].starts_with("f:5:")) << told[3];
  EXPECT_EQ(told[4], "f:6:1: unknown option allow_hosts; did you mean allow_host?");
}

TEST(ConfigFile, LinesBeforeABrokenSectionAreCheckedToo) {
  const auto told = failures_of("lisen = []\n[retain\ndays = 1\n");
  ASSERT_EQ(told.size(), 2U);
  EXPECT_TRUE(told[0].starts_with("f:1:1: unknown option lisen"));
  EXPECT_TRUE(told[1].starts_with("f:2:")) << told[1];
}

TEST(ConfigFile, ABrokenEndIsReportedOnce) {
  for (const char* text : {"listen = [\"127.0.0.1:1\",\n\n", "mask_file = \"\"\"/a\n\n\n", "[a",
                           "x", "=", "listen = [\nfoo\nbar\n]\n"})
    EXPECT_EQ(failures_of(text).size(), 1U) << text;
}

TEST(ConfigFile, AnAssertionOfTheParserIsReportedAsAMistake) {
  EXPECT_EQ(failures_of("lisen = []\n[retain]\n\n[=\n[tls]\n"),
            (sentences{"f:1:1: unknown option lisen; did you mean listen?",
                       "f:4:1: invalid TOML: a bracket or a value is out of place"}));

  for (const char* text : {"[\n", "[", "[=]\n", " [[\n]]", "[\v", "[ä]", "[.a]",
                           "\xef\xbb\xbf[=", "listen = [[}", "[]", "[[ ]]"})
    EXPECT_GE(failures_of(text).size(), 1U) << text;
}

TEST(ConfigFile, LettersBeyondAsciiStandInTextAndComments) {
  EXPECT_TRUE(failures_of("mask_file = \"/\\\"ä\"  # ü \"\nsocket = '/ö'\n").empty());
  EXPECT_EQ(
      failures_of("socket = '/ö'ß\n"),
      sentences{"f:1:14: not supported TOML: a character that is allowed only inside quotes"});
  EXPECT_EQ(failures_of("\xef\xbb\xbfsocket = \"\"\"/a\n\"\"\"\n").at(0),
            "f:1:10: not supported TOML: text of several lines");
  EXPECT_EQ(failures_of("retain.days = 0X\"\u03fd\"\n").at(0),
            "f:1:17: not supported TOML: a quotation mark in the middle of a word");
  EXPECT_TRUE(
      failures_of("\"retain\".\"days\"=7\nlisten=[\"127.0.0.1:1\",'127.0.0.1:2']\n").empty());
}

TEST(ConfigFile, TooLargeOrTooDeepFileIsRefused) {
  EXPECT_EQ(failures_of(std::string(limits::config_bytes + 1, '\n')),
            (sentences{"f:1:1: larger than 64KiB"}));
  std::string deep = "\na";
  for (int i = 0; i < 10'000; ++i) deep += ".a";
  EXPECT_EQ(failures_of(deep + " = 1\n"),
            (sentences{"f:2:1: more dots in a line than 256; write a long list in several "
                       "lines"}));
  const std::string lists = "listen = " + std::string(1000, '[');
  EXPECT_EQ(failures_of(lists).size(), 1U);
}

TEST(ConfigFile, BytesThatAreNoUtf8AreOneMistake) {
  EXPECT_EQ(failures_of("mask_file = \"/a\xff\"\n").size(), 1U);
}

}  // namespace
}  // namespace tofud::settings
