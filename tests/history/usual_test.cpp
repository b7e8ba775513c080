#include "daemon/history/usual.hpp"

#include "daemon/history/limits.hpp"
#include "protocol/text/percentile.hpp"

#include <gtest/gtest.h>

namespace tofud::history {
namespace {

rung_values values(rung at, std::vector<double> seconds, std::size_t stacks = 1) {
  return {at, std::move(seconds), stacks};
}

TEST(Percentile, IsTakenByNearestRank) {
  EXPECT_EQ(text::percentile({}, 0.5), 0);
  EXPECT_EQ(text::percentile({7}, 0.5), 7);
  EXPECT_EQ(text::percentile({4, 1, 3, 2}, 0.5), 2);
  EXPECT_EQ(text::percentile({5, 4, 1, 3, 2}, 0.8), 4);
  EXPECT_EQ(text::percentile({5, 4, 1, 3, 2}, 1), 5);
}

TEST(Usual, ComesFromTheFirstRungThatHasEnough) {
  const std::vector<rung_values> rungs{values(rung::address, {1, 2}),
                                       values(rung::stack, {10, 20, 30})};
  const auto chosen = choose(rungs);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->at, rung::stack);
  EXPECT_EQ(chosen->count, 3U);
  EXPECT_EQ(chosen->p50, 20);
  EXPECT_EQ(chosen->p80, 30);
}

TEST(Usual, ComesFromTheFirstRungThatHasAnyIfNoneHasEnough) {
  const std::vector<rung_values> rungs{values(rung::address, {}), values(rung::stack, {10}),
                                       values(rung::anywhere, {1, 2}, 2)};
  const auto chosen = choose(rungs);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->at, rung::stack);
  EXPECT_FALSE(choose({}));
}

TEST(Usual, OfOtherStacksTellsOfNoneOfThem) {
  const std::vector<double> twenty(limits::usual_of, 4.0);
  EXPECT_FALSE(choose(std::vector{values(rung::anywhere, twenty, 2)}));
  EXPECT_FALSE(choose(std::vector{values(rung::anywhere, {1, 2, 3, 4}, 4)}));
  EXPECT_TRUE(choose(std::vector{values(rung::anywhere, twenty, 3)}));
}

TEST(SlowerThanUsual, IsWhatTakesLongerThanMostAndHalfAsLongAgain) {
  usual known;
  known.p50 = 10;
  known.p80 = 12;
  known.count = 3;
  EXPECT_FALSE(is_slower_than_usual(known, 15));
  EXPECT_TRUE(is_slower_than_usual(known, 15.1));
  known.p80 = 20;
  EXPECT_FALSE(is_slower_than_usual(known, 20));
  known.count = 2;
  EXPECT_FALSE(is_slower_than_usual(known, 100));
}

}  // namespace
}  // namespace tofud::history
