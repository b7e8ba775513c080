#include "protocol/text/duration.hpp"

#include <gtest/gtest.h>

namespace tofud::text {
namespace {

using namespace std::chrono_literals;

TEST(Duration, BelowASecondHasMilliseconds) {
  EXPECT_EQ(duration(0s), "0ms");
  EXPECT_EQ(duration(1ms), "1ms");
  EXPECT_EQ(duration(340ms), "340ms");
  EXPECT_EQ(duration(999499us), "999ms");
}

TEST(Duration, BelowTenSecondsHasTenths) {
  EXPECT_EQ(duration(999500us), "1.0s");
  EXPECT_EQ(duration(3s), "3.0s");
  EXPECT_EQ(duration(9949ms), "9.9s");
}

TEST(Duration, HasNoFractionFromTenSecondsOn) {
  EXPECT_EQ(duration(9950ms), "10s");
  EXPECT_EQ(duration(9999999us), "10s");
  EXPECT_EQ(duration(12400ms), "12s");
  EXPECT_EQ(duration(59499ms), "59s");
}

TEST(Duration, HasMinutesAndHoursWhenThereAreSome) {
  EXPECT_EQ(duration(59600ms), "1m00s");
  EXPECT_EQ(duration(151s), "2m31s");
  EXPECT_EQ(duration(3599600ms), "1h00m");
  EXPECT_EQ(duration(3725s), "1h02m");
  EXPECT_EQ(duration(100h + 59min + 59s), "100h59m");
}

TEST(Duration, ANegativeOneIsZero) {
  EXPECT_EQ(duration(-700ms), "0ms");
  EXPECT_EQ(duration(std::chrono::microseconds::min()), "0ms");
}

}  // namespace
}  // namespace tofud::text
