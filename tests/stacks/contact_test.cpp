#include "daemon/stacks/contact.hpp"

#include "tests/stacks/history.hpp"

#include <gtest/gtest.h>

using namespace tofud::stacks;
using namespace std::chrono_literals;
using tofud::feed::contact_state;

TEST(Contact, IsThereForAMinuteAfterTheLastRequest) {
  EXPECT_EQ(contact(minute(0), minute(0)), contact_state::ok);
  EXPECT_EQ(contact(minute(0), minute(0) + 59s), contact_state::ok);
}

TEST(Contact, IsGoneAfterAMinuteAndLostAfterAQuarterOfAnHour) {
  EXPECT_EQ(contact(minute(0), minute(1)), contact_state::none);
  EXPECT_EQ(contact(minute(0), minute(15) - 1s), contact_state::none);
  EXPECT_EQ(contact(minute(0), minute(15)), contact_state::lost);
  EXPECT_EQ(contact(minute(0), minute(100'000)), contact_state::lost);
}

TEST(Contact, AnyAcceptedRequestUndoesBoth) {
  EXPECT_EQ(contact(minute(20), minute(20)), contact_state::ok);
}

TEST(Contact, ClockThatWasSetBackLosesNobody) {
  EXPECT_EQ(contact(minute(100), minute(0)), contact_state::ok);
}

TEST(Contact, SaysWhenToLookAgain) {
  EXPECT_EQ(contact_changes_at(minute(0), minute(0)), minute(1));
  EXPECT_EQ(contact_changes_at(minute(0), minute(1)), minute(15));
  EXPECT_EQ(contact_changes_at(minute(0), minute(15)), std::nullopt);
}
