#include "daemon/wall/contact.hpp"

#include "tests/wall/history.hpp"

#include <gtest/gtest.h>

using namespace tofud::wall;
using namespace std::chrono_literals;
using tofud::feed::run_contact;

TEST(Contact, LastsForAMinuteAfterTheLastRequest) {
  EXPECT_EQ(contact(minute(0), minute(0)), run_contact::ok);
  EXPECT_EQ(contact(minute(0), minute(0) + 59s), run_contact::ok);
}

TEST(Contact, EndsAfterAMinuteAndTheRunIsLostAfterAQuarterOfAnHour) {
  EXPECT_EQ(contact(minute(0), minute(1)), run_contact::none);
  EXPECT_EQ(contact(minute(0), minute(15) - 1s), run_contact::none);
  EXPECT_EQ(contact(minute(0), minute(15)), run_contact::lost);
  EXPECT_EQ(contact(minute(0), minute(100'000)), run_contact::lost);
}

TEST(Contact, AnyAcceptedRequestRestoresIt) {
  EXPECT_EQ(contact(minute(20), minute(20)), run_contact::ok);
}

TEST(Contact, AClockThatWasSetBackLosesNoRun) {
  EXPECT_EQ(contact(minute(100), minute(0)), run_contact::ok);
}
