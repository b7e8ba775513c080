// When an apply will be over, against plain ways to say the same, and judged on simulated applies.
#include "protocol/order/schedule.hpp"

#include "tests/protocol/order/random_order.hpp"
#include "tests/protocol/order/simulated_apply.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

namespace tofud::order {
namespace {

known_duration always(double seconds, int values = 20) {
  known_duration made;
  for (int i = 0; i < values; ++i) made = with_opinion(made, seconds, 1);
  return made;
}

std::vector<operation_now> all_owed(const order& of) {
  return std::vector<operation_now>(of.operations().size());
}

/// Operations one after another.
order chain(std::size_t length) {
  order made;
  for (std::size_t i = 0; i < length; ++i) {
    made.add({"t.a" + std::to_string(i)});
    if (i > 0) made.connect(made.operations()[i - 1], made.operations()[i], origin::configuration);
  }
  return made;
}

// ---- durations ----

TEST(Durations, WhatAlwaysTookTheSameDoesAgain) {
  std::vector<known_duration> all;
  for (const double each : {2.0, 20.0, 200.0}) all.push_back(always(each));
  const duration_model model{all};
  EXPECT_NEAR(model.median(0), 2, 0.1);
  EXPECT_NEAR(model.median(1), 20, 1);
  EXPECT_NEAR(model.median(2), 200, 10);
  EXPECT_LT(model.quantile(1, 0.8), 25);
}

TEST(Durations, WhatNothingIsKnownOfTakesWhatTheOthersDo) {
  std::vector<known_duration> all(3);
  for (int i = 0; i < 20; ++i) all.push_back(always(30));
  const duration_model model{all};
  EXPECT_NEAR(model.median(0), 30, 3);
  EXPECT_GT(model.quantile(0, 0.8), 1.3 * model.median(0));  // and nobody is sure of it
}

TEST(Durations, OneValueOfEachIsTakenAtItsWord) {
  const std::vector<known_duration> all{always(6, 1), always(6, 1), always(0.1, 1), always(0.1, 1)};
  const duration_model model{all};
  EXPECT_NEAR(model.median(0), 6, 1);
  EXPECT_NEAR(model.median(3), 0.1, 0.02);
  EXPECT_GT(model.quantile(0, 0.8), 1.3 * model.median(0));
}

TEST(Durations, NothingIsKnownOfNone) {
  const std::vector<known_duration> all(5);
  const duration_model model{all};
  EXPECT_GT(model.median(0), 0);
  EXPECT_TRUE(std::isfinite(model.quantile(0, 0.99)));
}

TEST(Durations, ARestIsNeverNegativeAndGrowsWhereItShouldBeOver) {
  const std::vector<known_duration> all(30, always(60, 3));
  const duration_model model{all};
  EXPECT_NEAR(model.draw_rest(0, 1, 0.5, 0.5) + 1, model.median(0), 6);
  for (const double elapsed : {0.0, 1.0, 59.0, 61.0, 600.0, 86'400.0}) {
    for (const double part : {0.01, 0.5, 0.99}) {
      const double rest = model.draw_rest(0, elapsed, 0.5, part);
      EXPECT_GE(rest, 0) << elapsed;
      EXPECT_TRUE(std::isfinite(rest)) << elapsed;
    }
  }
}

TEST(Durations, PeoplesOwnWordsCountAsTwoValues) {
  const known_duration known = with_opinion(always(100, 2), 400, 2);
  EXPECT_EQ(known.count, 4);
  EXPECT_NEAR(std::exp(known.log_mean), 200, 0.01);
}

// ---- schedules ----

TEST(Schedule, AChainTakesTheSumAndItsPathIsAllOfIt) {
  const order of = chain(5);
  const std::vector<known_duration> known(5, always(10));
  const duration_model model{known};
  schedule plays{of};
  EXPECT_NEAR(plays.median_end(all_owed(of), model, 10), 50, 2);
  const auto found = plays.remaining(all_owed(of), model, 10, 1);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->p50, 50, 5);
  EXPECT_GE(found->p80, found->p50);
  const critical_path path = plays.critical(all_owed(of), model);
  EXPECT_EQ(path.operations, of.operations());
  EXPECT_NEAR(path.seconds, 50, 2);
}

TEST(Schedule, SlotsBoundWhatRunsAtOnce) {
  order of;
  for (int i = 0; i < 20; ++i) of.add({"t.a" + std::to_string(i)});
  const std::vector<double> seconds(20, 10);
  schedule plays{of};
  EXPECT_DOUBLE_EQ(plays.end_of(seconds, 10), 20);
  EXPECT_DOUBLE_EQ(plays.end_of(seconds, 1), 200);
  EXPECT_DOUBLE_EQ(plays.end_of(seconds, 20), 10);
}

TEST(Schedule, WhatIsBehindAFailureIsNotDone) {
  const order of = chain(5);
  std::vector<operation_now> now(5);
  now[0].state = progress_of::done;
  now[1].state = progress_of::failed;
  const std::vector<known_duration> known(5, always(10));
  const duration_model model{known};
  schedule plays{of};
  EXPECT_FALSE(plays.remaining(now, model, 10, 1));
  EXPECT_TRUE(plays.critical(now, model).operations.empty());
}

TEST(Schedule, NothingIsLeftWhenAllIsDone) {
  const order of = chain(3);
  std::vector<operation_now> now(3);
  for (auto& each : now) each.state = progress_of::done;
  const std::vector<known_duration> known(3, always(10));
  EXPECT_FALSE(schedule{of}.remaining(now, duration_model{known}, 10, 1));
}

TEST(Schedule, WhatRunsLongerThanUsualIsSaidToDoSo) {
  const order of = chain(2);
  std::vector<operation_now> now(2);
  now[0].state = progress_of::running;
  const std::vector<known_duration> known(2, always(10));
  const duration_model model{known};
  schedule plays{of};
  now[0].elapsed = 5;
  EXPECT_FALSE(plays.remaining(now, model, 10, 1)->overrun);
  now[0].elapsed = 60;
  EXPECT_TRUE(plays.remaining(now, model, 10, 1)->overrun);
}

TEST(Schedule, TheSameSeedSaysTheSame) {
  const test::simulated_apply apply = test::simulate(3, test::spreads::mixed, 300);
  const duration_model model{apply.known};
  const auto say = [&](std::uint64_t seed) {
    const auto found = schedule{apply.of}.remaining(apply.at(0), model, apply.slots, seed);
    return std::pair{found->p50, found->p80};
  };
  EXPECT_EQ(say(7), say(7));
  EXPECT_NE(say(7), say(8));
}

TEST(Schedule, MovesByWhatWasLearntAlone) {
  // Nothing but time goes by: the end that is named stays where it was, or nearly.
  const test::simulated_apply apply = test::simulate(5, test::spreads::alike, 200, 0);
  const duration_model model{apply.known};
  schedule plays{apply.of};
  const double next = *std::min_element(apply.ended.begin(), apply.ended.end());
  const double first = plays.remaining(apply.at(0.01 * next), model, apply.slots, 1)->p50;
  const double then =
      0.2 * next + plays.remaining(apply.at(0.21 * next), model, apply.slots, 1)->p50;
  EXPECT_NEAR(then, first, 0.02 * first);
}

/// As the program goes, told as plainly as can be: at each moment the next end.
double plain_end(const order& of, const std::vector<double>& seconds, std::size_t slots) {
  std::map<vertex, double> running;
  std::set<vertex> done;
  std::vector<vertex> waiting;
  std::set<vertex> seen;
  double now = 0;
  const auto can_begin = [&](vertex each) {
    std::vector<vertex> open{each};
    std::set<vertex> looked;
    while (!open.empty()) {
      const vertex at = open.back();
      open.pop_back();
      for (const vertex before : of.before(at)) {
        if (of.at(before) != nullptr && !done.contains(before)) return false;
        if (of.at(before) == nullptr && looked.insert(before).second) open.push_back(before);
      }
    }
    return true;
  };
  for (;;) {
    for (std::size_t i = 0; i < of.operations().size(); ++i) {
      const vertex each = of.operations()[i];
      if (!seen.contains(each) && can_begin(each)) {
        seen.insert(each);
        waiting.push_back(each);
      }
    }
    while (!waiting.empty() && running.size() < slots) {
      const vertex each = waiting.front();
      waiting.erase(waiting.begin());
      const auto number = std::find(of.operations().begin(), of.operations().end(), each);
      running[each] = now + seconds[static_cast<std::size_t>(number - of.operations().begin())];
    }
    if (running.empty()) return now;
    const auto first = std::min_element(
        running.begin(), running.end(),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    now = first->second;
    done.insert(first->first);
    running.erase(first);
  }
}

TEST(Schedule, PlaysAsThePlainOneDoes) {
  std::mt19937 chance{41};
  for (int round = 0; round < 25; ++round) {
    const order of = test::random_order(chance, {40, 6, 6, 3});
    std::vector<double> seconds;
    for (std::size_t i = 0; i < of.operations().size(); ++i)
      seconds.push_back(std::uniform_real_distribution<>{1, 100}(chance));
    const std::size_t slots = 1 + test::below(chance, 8);
    EXPECT_NEAR(schedule{of}.end_of(seconds, slots), plain_end(of, seconds, slots), 1e-6);
  }
}

TEST(Schedule, TheCriticalPathIsTheLongestAndSlackIsWhatItLeaves) {
  std::mt19937 chance{43};
  for (int round = 0; round < 25; ++round) {
    const order of = test::random_order(chance, {40, 6, 4, 3});
    std::vector<known_duration> known;
    for (std::size_t i = 0; i < of.operations().size(); ++i)
      known.push_back(always(std::uniform_real_distribution<>{1, 100}(chance)));
    const duration_model model{known};
    schedule plays{of};
    const auto now = all_owed(of);
    const critical_path path = plays.critical(now, model);
    // Without a limit of slots the end is the longest way.
    EXPECT_NEAR(path.seconds, plays.median_end(now, model, 1000), 1e-6);
    double sum = 0;
    for (std::size_t i = 0; i < of.operations().size(); ++i) {
      const vertex each = of.operations()[i];
      const bool on_it =
          std::find(path.operations.begin(), path.operations.end(), each) != path.operations.end();
      if (on_it) {
        sum += model.median(i);
        EXPECT_NEAR(path.slack[each], 0, 1e-6);
      }
      EXPECT_GT(path.slack[each], -1e-6);
    }
    EXPECT_NEAR(sum, path.seconds, 1e-6);
  }
}

/// F11 of decision 0042, with fewer and smaller applies than tests/bench/estimate_bench has: chance
/// evens out less in those.
void judge(test::spreads how, double error_at_most) {
  std::vector<double> errors;
  double covered_p50 = 0, covered_p80 = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const test::simulated_apply apply = test::simulate(seed, how, 250);
    const double moment = apply.end / 2, real = apply.end - moment;
    const duration_model model{apply.known};
    const auto found =
        schedule{apply.of}.remaining(apply.at(moment), model, apply.slots, seed, 0.01);
    if (!found) continue;
    errors.push_back(std::abs(found->p50 - real) / real);
    covered_p50 += real <= found->p50 ? 1 : 0;
    covered_p80 += real <= found->p80 ? 1 : 0;
  }
  std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
  const auto all = static_cast<double>(errors.size());
  EXPECT_LE(errors[errors.size() / 2], error_at_most);
  EXPECT_GT(covered_p50 / all, 0.35);
  EXPECT_LT(covered_p50 / all, 0.65);
  EXPECT_GT(covered_p80 / all, 0.7);
  EXPECT_LT(covered_p80 / all, 0.95);
}

TEST(Estimates, AreGoodWhereAllIsAlikeFromRunToRun) { judge(test::spreads::alike, 0.2); }
TEST(Estimates, AreGoodWhereSomeTakesWhatItLikes) { judge(test::spreads::mixed, 0.25); }

}  // namespace
}  // namespace tofud::order
