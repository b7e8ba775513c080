#include "daemon/api/typed_time.hpp"

#include <gtest/gtest.h>

using namespace tofud;

namespace {

const auto now = *ui::parse_timestamp("2026-11-21T03:12:05Z");

std::string read(std::string_view text, day_edge edge = day_edge::begin) {
  const auto at = parse_typed_time(text, edge, now);
  std::string stamp;
  if (at) ui::append_timestamp(stamp, *at);
  return stamp;
}

}  // namespace

TEST(TypedTime, TimesOfADay) {
  EXPECT_EQ(read("2026-11-21T03:00:00Z"), "2026-11-21T03:00:00.000000Z");
  EXPECT_EQ(read("2026-11-21T03:00:00+01:00"), "2026-11-21T02:00:00.000000Z");
  EXPECT_EQ(read("2026-11-21 03:00"), "2026-11-21T03:00:00.000000Z");
  EXPECT_EQ(read("2026-11-21T03:00:07"), "2026-11-21T03:00:07.000000Z");
}

TEST(TypedTime, DateIsTheBeginOrTheEndOfItsDay) {
  EXPECT_EQ(read("2026-11-30"), "2026-11-30T00:00:00.000000Z");
  EXPECT_EQ(read("2026-11-30", day_edge::end), "2026-12-01T00:00:00.000000Z");
}

TEST(TypedTime, AgesAreBeforeNow) {
  EXPECT_EQ(read("90m"), "2026-11-21T01:42:05.000000Z");
  EXPECT_EQ(read("24h", day_edge::end), "2026-11-20T03:12:05.000000Z");
  EXPECT_EQ(read("7d"), "2026-11-14T03:12:05.000000Z");
  EXPECT_EQ(read("2w"), "2026-11-07T03:12:05.000000Z");
  EXPECT_EQ(read("0d"), "2026-11-21T03:12:05.000000Z");
}

TEST(TypedTime, AnythingElseIsNone) {
  for (const char* const text : {"", "yesterday", "24", "h", "-1h", "1 h", "1H", "1y", "2026-02-30",
                                 "2026-11-21 ", "2026-11", "2026-11-21T", "2026-11-21x03:00",
                                 "2026-11-21 25:00", "4294967295w", "4294967296m"}) {
    EXPECT_EQ(read(text), "") << text;
  }
}

TEST(TypedTime, TextThatIsATimestampStaysAsItIs) {
  std::string text{"2026-11-21T03:00:00+01:00"};
  EXPECT_TRUE(to_timestamp(text, day_edge::begin, now));
  EXPECT_EQ(text, "2026-11-21T03:00:00+01:00");
  text = "1d";
  EXPECT_TRUE(to_timestamp(text, day_edge::begin, now));
  EXPECT_EQ(text, "2026-11-20T03:12:05.000000Z");
  text = "x";
  EXPECT_FALSE(to_timestamp(text, day_edge::begin, now));
  EXPECT_EQ(text, "x");
}
