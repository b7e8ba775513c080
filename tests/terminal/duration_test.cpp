#include "daemon/terminal/duration.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal {
namespace {

using namespace std::chrono_literals;

TEST(Duration, BelowTenSecondsHasTenths) {
  EXPECT_EQ(duration_text(0s), "0.0s");
  EXPECT_EQ(duration_text(49ms), "0.0s");
  EXPECT_EQ(duration_text(50ms), "0.1s");
  EXPECT_EQ(duration_text(410ms), "0.4s");
  EXPECT_EQ(duration_text(9949ms), "9.9s");
}

TEST(Duration, HasNoFractionFromTenSecondsOn) {
  EXPECT_EQ(duration_text(9950ms), "10s");
  EXPECT_EQ(duration_text(9999999us), "10s");
  EXPECT_EQ(duration_text(10s), "10s");
  EXPECT_EQ(duration_text(12400ms), "12s");
  EXPECT_EQ(duration_text(59499ms), "59s");
}

TEST(Duration, HasMinutesAndHoursWhenThereAreSome) {
  EXPECT_EQ(duration_text(59600ms), "1m0s");
  EXPECT_EQ(duration_text(151s), "2m31s");
  EXPECT_EQ(duration_text(3599600ms), "1h0m0s");
  EXPECT_EQ(duration_text(3605s), "1h0m5s");
  EXPECT_EQ(duration_text(100h + 59min + 59s), "100h59m59s");
}

TEST(Duration, ANegativeOneIsZero) {
  EXPECT_EQ(duration_text(-700ms), "0.0s");
  EXPECT_EQ(duration_text(std::chrono::microseconds::min()), "0.0s");
}

}  // namespace
}  // namespace tofud::terminal
