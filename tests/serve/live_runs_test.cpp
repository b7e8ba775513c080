#include "daemon/serve/live_runs.hpp"

#include "daemon/http/limits.hpp"
#include "daemon/settings/limits.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace tofud::serve {
namespace {

using room = live_runs::room;

TEST(LiveRuns, OneAboveTheLimitIsRefusedUntilOneEnds) {
  live_runs all{{2, 9}};
  const auto first = all.take("a");
  auto second = all.take("b");
  EXPECT_EQ(all.count(), 2U);
  EXPECT_EQ(all.ask("c"), room::none);
  EXPECT_EQ(all.ask(""), room::none);
  EXPECT_EQ(all.refused(), 2U);
  second.reset();
  EXPECT_EQ(all.ask("c"), room::some);
  EXPECT_EQ(all.refused(), 2U);
  EXPECT_EQ(all.refused_to_sender(), 0U);
}

TEST(LiveRuns, SendersAreLimitedSeparately) {
  live_runs all{{9, 2}};
  const auto first = all.take("a");
  auto second = all.take("a");
  EXPECT_EQ(all.ask("a"), room::none_for_sender);
  EXPECT_EQ(all.ask("b"), room::some);
  EXPECT_EQ(all.refused_to_sender(), 1U);
  EXPECT_EQ(all.refused(), 0U);
  second.reset();
  EXPECT_EQ(all.ask("a"), room::some);
}

TEST(LiveRuns, UncountedSenderIsLimitedByTheTotalOnly) {
  live_runs all{{3, 1}};
  std::vector<live_place> places;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(all.ask(""), room::some);
    places.push_back(all.take(""));
  }
  EXPECT_EQ(all.ask(""), room::none);
}

TEST(LiveRuns, NarrowerLimitsKeepTheRunsThereAre) {
  live_runs all{{9, 9}};
  std::vector<live_place> places;
  for (int i = 0; i < 4; ++i) places.push_back(all.take("a"));
  all.set({2, 9});
  EXPECT_EQ(all.count(), 4U);
  EXPECT_EQ(all.ask("b"), room::none);
  // Who comes back is not asked for, and counts.
  places.push_back(all.take("a"));
  EXPECT_EQ(all.count(), 5U);
  all.set({9, 5});
  EXPECT_EQ(all.ask("a"), room::none_for_sender);
  EXPECT_EQ(all.ask("b"), room::some);
}

TEST(LiveRuns, OneNameDoesNotTakeAllWhereverItIsUsed) {
  live_runs all{{8, 8}};
  std::vector<live_place> places;
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(all.ask(std::to_string(i), "token ci"), room::some);
    places.push_back(all.take(std::to_string(i), "token ci"));
  }
  EXPECT_EQ(all.ask("another", "token ci"), room::none_for_name);
  EXPECT_EQ(all.ask("another", "token net"), room::some);
  EXPECT_EQ(all.ask("another"), room::some);
  places.pop_back();
  EXPECT_EQ(all.ask("another", "token ci"), room::some);
}

TEST(LiveRuns, ANameBeginsNoMoreFromManyAddresses) {
  live_runs runs{{limits::live_runs_most, limits::live_runs_most}};
  const auto now = live_runs::clock::now();
  for (std::size_t i = 0; i < limits::new_runs_at_once; ++i)
    ASSERT_EQ(runs.ask(std::to_string(i), "token ci", now), room::some);
  EXPECT_EQ(runs.ask("another", "token ci", now), room::too_fast);
  EXPECT_EQ(runs.ask("another", "token net", now), room::some);
}

TEST(LiveRuns, APlaceMayOutliveThem) {
  live_place place;
  {
    live_runs all{{1, 1}};
    place = all.take("a");
  }
  place.reset();
}

TEST(LiveRuns, EachSenderMayBeginSoManyAtOnceAndThenOneASecond) {
  live_runs runs{{limits::live_runs_most, limits::live_runs_most}};
  auto now = live_runs::clock::now();
  const auto begun_by = [&](const std::string& sender) {
    std::size_t begun = 0;
    while (runs.ask(sender, "", now) == room::some) ++begun;
    return begun;
  };
  EXPECT_EQ(begun_by("10.0.0.1"), limits::new_runs_at_once);
  EXPECT_EQ(runs.ask("10.0.0.1", "", now), room::too_fast);
  for (int other = 0; other < 500; ++other) {  // so many that old ones are forgotten meanwhile
    now += std::chrono::milliseconds{2};
    EXPECT_EQ(runs.ask("other " + std::to_string(other), "", now), room::some);
  }
  EXPECT_EQ(begun_by("10.0.0.1"), 1U);
  now += std::chrono::hours{24};
  EXPECT_EQ(begun_by("10.0.0.1"), limits::new_runs_at_once);
}

}  // namespace
}  // namespace tofud::serve
