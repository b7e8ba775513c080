#include "protocol/ui/timestamp.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tofud::ui {
namespace {

using namespace std::chrono;
using namespace std::chrono_literals;

std::string printed(time_point time) {
  std::string out;
  append_timestamp(out, time);
  return out;
}

// What a stamp means, as UTC text; "none" if it is no time.
std::string read(std::string_view text) {
  const auto time = parse_timestamp(text);
  return time ? printed(*time) : "none";
}

TEST(Timestamp, GoHclogIsReadToTheMicrosecond) {
  const time_point expected = sys_days{2026y / January / 2} + 3h + 4min + 5s + 1us;
  EXPECT_EQ(parse_timestamp("2026-01-02T03:04:05.000001Z"), expected);
}

TEST(Timestamp, OffsetIsConvertedToUtc) {
  EXPECT_EQ(read("2026-01-02T03:04:05.000001+02:00"), "2026-01-02T01:04:05.000001Z");
  EXPECT_EQ(read("2026-01-01T22:34:05.5-05:30"), "2026-01-02T04:04:05.500000Z");
  EXPECT_EQ(read("2026-12-31T23:59:59.999999-00:01"), "2027-01-01T00:00:59.999999Z");
  EXPECT_EQ(read("2026-01-01T00:00:00+14:00"), "2025-12-31T10:00:00.000000Z");
  EXPECT_EQ(read("2026-01-01T00:00:00z"), "2026-01-01T00:00:00.000000Z");
}

TEST(Timestamp, MayHaveNoFractionOrUpToNineDigits) {
  EXPECT_EQ(read("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05.000000Z");
  EXPECT_EQ(read("2026-01-02T03:04:05.1Z"), "2026-01-02T03:04:05.100000Z");
  EXPECT_EQ(read("2026-01-02T03:04:05.123456789Z"), "2026-01-02T03:04:05.123456Z");
  EXPECT_EQ(read("2026-01-02T03:04:05.999999999Z"), "2026-01-02T03:04:05.999999Z");
  EXPECT_EQ(read("2026-01-02T03:04:05.Z"), "none");
  EXPECT_EQ(read("2026-01-02T03:04:05.1234567890Z"), "none");
}

TEST(Timestamp, LeapDaysExistInLeapYearsOnly) {
  EXPECT_EQ(read("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00.000000Z");
  EXPECT_EQ(read("2000-02-29T00:00:00Z"), "2000-02-29T00:00:00.000000Z");
  EXPECT_EQ(read("2026-02-29T00:00:00Z"), "none");
  EXPECT_EQ(read("2100-02-29T00:00:00Z"), "none");
}

TEST(Timestamp, LeapSecondIsTheSecondBehindIt) {
  EXPECT_EQ(read("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00.000000Z");
  EXPECT_EQ(read("2016-12-31T23:59:61Z"), "none");
}

TEST(Timestamp, ImpossibleDayOrHourIsRefused) {
  for (const char* const bad :
       {"2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60"}) {
    EXPECT_EQ(read(bad), "none") << bad;
  }
}

TEST(Timestamp, AnythingElseIsNone) {
  for (const char* const bad : {"",
                                "Z",
                                "now",
                                "2026-01-02",
                                "2026-01-02T03:04:05",
                                "2026-01-02 03:04:05Z",
                                "2026-01-02T03:04Z",
                                "2026/01/02T03:04:05Z",
                                "2026-01-02T03-04-05Z",
                                "26-01-02T03:04:05.0000Z",
                                "2026-1-02T03:04:05.00Z",
                                "2026-01-02T03:04:05,5Z",
                                "2026-01-02T03:04:05.5",
                                "2026-01-02T03:04:05.5ZZ",
                                "2026-01-02T03:04:05.5Z ",
                                " 2026-01-02T03:04:05Z",
                                "2026-01-02T03:04:05+0200",
                                "2026-01-02T03:04:05+02",
                                "2026-01-02T03:04:05+2:00",
                                "2026-01-02T03:04:05*02:00",
                                "2026-01-02T03:04:05+-2:00",
                                "+026-01-02T03:04:05Z",
                                "2026-01-02T03:04:-5Z",
                                "2026-01-02T03:04:05 UTC"}) {
    EXPECT_EQ(read(bad), "none") << bad;
  }
}

TEST(Timestamp, CutAnywhereIsNone) {
  const std::string whole = "2026-01-02T03:04:05.000001+02:00";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(read(whole.substr(0, size)), "none") << size;
  }
}

TEST(Timestamp, IsWrittenInUtcWithSixDigits) {
  EXPECT_EQ(printed(time_point{}), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(printed(time_point{1us}), "1970-01-01T00:00:00.000001Z");
  EXPECT_EQ(printed(time_point{-1us}), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(printed(sys_days{2026y / November / 21} + 3h + 12min + 6s + 410ms),
            "2026-11-21T03:12:06.410000Z");
}

TEST(Timestamp, WrittenAndReadAgainIsTheSame) {
  std::mt19937_64 random{7};
  const auto first = time_point{sys_days{1y / January / 1}}.time_since_epoch().count();
  const auto last = time_point{sys_days{9999y / December / 31}}.time_since_epoch().count();
  std::uniform_int_distribution<std::int64_t> any{first, last};
  for (int i = 0; i < 20'000; ++i) {
    const time_point time{microseconds{any(random)}};
    ASSERT_EQ(parse_timestamp(printed(time)), time) << printed(time);
  }
}

TEST(OptionalTime, IsAMomentOrNone) {
  EXPECT_EQ(sizeof(optional_time), sizeof(time_point));
  optional_time at;
  EXPECT_FALSE(at);
  EXPECT_EQ(std::optional<time_point>{at}, std::nullopt);
  EXPECT_EQ(at.value_or(time_point{2us}), time_point{2us});
  at = time_point{1us};
  EXPECT_TRUE(at.has_value());
  EXPECT_EQ(*at, time_point{1us});
  EXPECT_EQ(std::optional<time_point>{at}, time_point{1us});
  EXPECT_EQ(at, optional_time{std::optional{time_point{1us}}});
  at = std::nullopt;
  EXPECT_FALSE(at);
  EXPECT_FALSE(at == std::optional{time_point{1us}});
}

}  // namespace
}  // namespace tofud::ui
