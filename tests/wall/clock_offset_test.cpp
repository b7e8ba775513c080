#include "daemon/wall/clock_offset.hpp"

#include "protocol/feed/age.hpp"
#include "tests/wall/history.hpp"

#include <gtest/gtest.h>

using namespace tofud::feed;
using namespace tofud::wall;
using namespace std::chrono_literals;

TEST(ClockOffset, IsThatOfTheFastestLine) {
  clock_offset clock;
  EXPECT_EQ(clock.offset(), std::nullopt);
  clock.arrived(minute(0) + 5s, minute(0));
  clock.arrived(minute(1) + 2s, minute(1));
  clock.arrived(minute(2) + 40s, minute(2));
  EXPECT_EQ(clock.offset(), 2s);
}

TEST(ClockOffset, ClockThatIsAheadHasNegativeOffset) {
  clock_offset clock;
  clock.arrived(minute(0), minute(3));
  EXPECT_EQ(clock.offset(), -3min);
  EXPECT_EQ(age(minute(3), clock.offset(), run_goes_on::yes, minute(1)), 1min);
}

TEST(ClockOffset, AgeIsNeverNegativeAndNeedsNoOffset) {
  EXPECT_EQ(age(minute(3), std::nullopt, run_goes_on::yes, minute(5)), 2min);
  EXPECT_EQ(age(minute(3), std::nullopt, run_goes_on::yes, minute(1)), 0min);
}

TEST(ClockOffset, AStreamSentLaterIsAsOldAsItsStamps) {
  const auto a_day = std::chrono::microseconds{24h};
  EXPECT_EQ(by_our_clock(minute(0), a_day, run_goes_on::no), minute(0));
  EXPECT_EQ(by_our_clock(minute(0), std::chrono::microseconds{10min}, run_goes_on::no), minute(10));
  EXPECT_EQ(by_our_clock(minute(0), a_day, run_goes_on::yes), minute(0) + 24h);
}

TEST(ClockOffset, StampOfTheFutureIsMovedBackHoweverFar) {
  EXPECT_EQ(by_our_clock(minute(6'000), std::chrono::microseconds{-100h}, run_goes_on::no),
            minute(0));
}
