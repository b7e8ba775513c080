#include "protocol/ui/moment.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::ui {
namespace {

std::string line(const std::string& second) {
  return R"({"@level":"info","@timestamp":"2026-11-21T03:12:)" + second + "Z\"}\n";
}

std::size_t bytes(const std::string& stream, const std::string& when) {
  return prefix_at(stream, parse_moment(when).value()).bytes;
}

TEST(Moment, IsSecondsOrATime) {
  EXPECT_EQ(std::get<double>(parse_moment("72.5").value()), 72.5);
  EXPECT_EQ(std::get<double>(parse_moment("0").value()), 0);
  EXPECT_EQ(std::get<time_point>(parse_moment("2026-11-21T03:12:05Z").value()),
            parse_timestamp("2026-11-21T03:12:05Z").value());
  for (const char* wrong : {"", "x", "-1", "1s", "nan", "inf", "1e99", "2026-11-21", "03:12"})
    EXPECT_FALSE(parse_moment(wrong)) << wrong;
}

TEST(Moment, HasTheLinesUpToIt) {
  const std::string first = line("05.5"), text = "Terraform says\n", second = line("06.0"),
                    third = line("09.0");
  const std::string stream = first + text + second + third;
  EXPECT_EQ(bytes(stream, "0"), first.size() + text.size());
  EXPECT_EQ(bytes(stream, "0.5"), stream.size() - third.size());
  EXPECT_EQ(bytes(stream, "3.49"), stream.size() - third.size());
  EXPECT_EQ(bytes(stream, "3.5"), stream.size());
  EXPECT_EQ(bytes(stream, "2026-11-21T03:12:06Z"), stream.size() - third.size());
  EXPECT_EQ(bytes(stream, "2026-11-21T03:12:00Z"), 0U);
}

TEST(Moment, AStampThatStepsBackStaysWhereItCame) {
  const std::string stream = line("05.0") + line("08.0") + line("06.0");
  EXPECT_EQ(bytes(stream, "2"), line("05.0").size());
  EXPECT_EQ(bytes(stream, "3"), stream.size());
}

TEST(Moment, ReadsLinesThatWereWrittenAgainWithBlanks) {
  const std::string stream =
      "{\"a\": 1, \"@timestamp\": \"2026-11-21T03:00:00Z\"}\n"
      "{\"@timestamp\" :\t\"2026-11-21T03:00:09Z\"}\n{\"@timestamp\": 5}\n";
  EXPECT_EQ(prefix_at(stream, *parse_moment("5")).bytes, stream.find('\n') + 1);
  EXPECT_EQ(prefix_at(stream, *parse_moment("9")).bytes, stream.size());
}

TEST(Moment, OfAStreamWithoutStampsIsAllOfIt) { EXPECT_EQ(bytes("a\nb", "5"), 3U); }

}  // namespace
}  // namespace tofud::ui
