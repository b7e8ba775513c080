// What a card says of its stack, and which cards a change concerns.
#include "daemon/wall/known_runs.hpp"
#include "tests/wall/history.hpp"

#include <gtest/gtest.h>

using namespace tofud;
using namespace tofud::wall;
using feed::run_command;
using feed::run_status;
using names = std::vector<std::string>;

namespace {

/// "failed a2", "succeeded a3, supersedes a2 of 2".
std::string outcome_of(const std::vector<run_facts>& runs) {
  stack_cards cards;
  for (const run_facts& run : runs) cards.update(run);
  const auto& outcome = cards.card("net")->outcome;
  if (!outcome) return "none yet";
  std::string text = std::string{name(outcome->status)} + " " + outcome->run;
  if (outcome->superseded.empty()) return text;
  return text + ", supersedes " + outcome->superseded + " of " +
         std::to_string(outcome->superseded_runs);
}

made_run failed_apply(std::string id, std::int64_t began) {
  return apply(std::move(id), began).ended(run_status::failed);
}

}  // namespace

TEST(StackCard, ShowsTheNewestRun) {
  stack_cards cards;
  cards.update(apply("a2", 2));
  cards.update(plan("p1", 1));
  EXPECT_EQ(cards.card("net")->run, "a2");
  EXPECT_EQ(cards.card("net")->command, run_command::apply);
  EXPECT_EQ(cards.card("net")->status, run_status::succeeded);
}

TEST(StackCard, RunThatGoesOnIsShownBeforeOneThatCameAndWentMeanwhile) {
  stack_cards cards;
  cards.update(apply("a1", 1).goes_on());
  cards.update(plan("p1", 2));
  EXPECT_EQ(cards.card("net")->run, "a1");
}

TEST(StackCard, RunWithoutAStackIsOnNoCard) {
  stack_cards cards;
  EXPECT_EQ(cards.update(plan("p1", 1).in("")), names{});
  EXPECT_EQ(cards.stacks(), names{});
  EXPECT_EQ(cards.change_of("p1"), std::nullopt);
  EXPECT_EQ(cards.forget("p1"), names{});
}

TEST(StackCard, OrderIsThatOfTheDaemonsClock) {
  made_run ahead = apply("a1", 60);  // an hour ahead: it was the first of the two
  ahead.facts().clock_offset = std::chrono::minutes{-60};
  stack_cards cards;
  cards.update(ahead);
  cards.update(apply("a2", 5));
  EXPECT_EQ(cards.card("net")->run, "a2");
}

TEST(Outcome, IsNoneBeforeARunIsOver) {
  EXPECT_EQ(outcome_of({plan("p1", 1).goes_on()}), "none yet");
}

TEST(Outcome, LaterSuccessSupersedesFailuresAndNamesThem) {
  EXPECT_EQ(outcome_of({failed_apply("a1", 1), failed_apply("a2", 2), apply("a3", 3)}),
            "succeeded a3, supersedes a2 of 2");
}

TEST(Outcome, LaterFailureIsWhatCounts) {
  EXPECT_EQ(outcome_of({apply("a1", 1), failed_apply("a2", 2)}), "failed a2");
  EXPECT_EQ(outcome_of({apply("a1", 1), apply("a2", 2).ended(run_status::interrupted)}),
            "interrupted a2");
  EXPECT_EQ(outcome_of({apply("a1", 1), apply("a2", 2).ended(run_status::lost)}), "lost a2");
}

TEST(Outcome, RunThatGoesOnSupersedesNothingYet) {
  EXPECT_EQ(outcome_of({failed_apply("a1", 1), apply("a2", 2).goes_on()}), "failed a1");
}

TEST(Outcome, APlanDoesNotSupersedeAHalfDoneApply) {
  EXPECT_EQ(outcome_of({failed_apply("a1", 1), plan("p1", 2)}), "failed a1");
}

TEST(Outcome, APlanSupersedesAnApplyThatNeverReachedItsPhase) {
  made_run never = failed_apply("a1", 1);
  never.facts().apply_ran = false;
  EXPECT_EQ(outcome_of({never, plan("p1", 2)}), "succeeded p1, supersedes a1 of 1");
}

TEST(Outcome, PassedTestsDoNotSupersedeAFailedPlan) {
  EXPECT_EQ(
      outcome_of({plan("p1", 1).ended(run_status::failed), made_run{"t1", run_command::test, 2}}),
      "failed p1");
}

TEST(ShownName, DropsTheMarkOfTheBackend) {
  EXPECT_EQ(without_mark("h/a/b//net@prod#3f2a1b"), "h/a/b//net@prod");
  EXPECT_EQ(without_mark("h/a/b//net@prod"), "h/a/b//net@prod");
  EXPECT_EQ(without_mark("h/a/b//net@prod#3f2a1"), "h/a/b//net@prod#3f2a1");
  EXPECT_EQ(without_mark("h/a/b//net@prod#issues"), "h/a/b//net@prod#issues");
  EXPECT_EQ(without_mark("#3f2a1b"), "#3f2a1b");
}

TEST(ShownName, TwoStacksThatDifferOnlyByTheirMarksShowThem) {
  stack_cards cards;
  EXPECT_EQ(cards.update(plan("p1", 1).in("net@prod#aaaaaa")), names{"net@prod#aaaaaa"});
  EXPECT_EQ(cards.card("net@prod#aaaaaa")->name, "net@prod");
  EXPECT_EQ(cards.update(plan("p2", 2).in("net@prod#bbbbbb")),
            (names{"net@prod#aaaaaa", "net@prod#bbbbbb"}));
  EXPECT_EQ(cards.card("net@prod#aaaaaa")->name, "net@prod#aaaaaa");
  EXPECT_EQ(cards.card("net@prod#bbbbbb")->name, "net@prod#bbbbbb");
  EXPECT_EQ(cards.forget("p2"), (names{"net@prod#aaaaaa", "net@prod#bbbbbb"}));
  EXPECT_EQ(cards.card("net@prod#aaaaaa")->name, "net@prod");
}

TEST(StackCards, ReportsOnlyChangedCards) {
  stack_cards cards;
  EXPECT_EQ(cards.update(plan("p1", 1).wrote("h1")), names{"net"});
  EXPECT_EQ(cards.update(plan("p1", 1).wrote("h1")), names{});
  EXPECT_EQ(cards.update(plan("p2", 1).in("dns")), names{"dns"});
  EXPECT_EQ(cards.update(apply("a1", 2).in("dns").given("h1")), (names{"dns", "net"}));
  EXPECT_EQ(cards.update(plan("old", -99)), names{});
}

TEST(StackCards, CardGoesWithItsLastRun) {
  stack_cards cards;
  cards.update(plan("p1", 1));
  cards.update(plan("p2", 2));
  EXPECT_EQ(cards.forget("p2"), names{"net"});
  EXPECT_EQ(cards.card("net")->run, "p1");
  EXPECT_EQ(cards.forget("p1"), names{"net"});
  EXPECT_EQ(cards.card("net"), nullptr);
  EXPECT_EQ(cards.forget("p1"), names{});
  EXPECT_EQ(cards.runs(), 0);
}

TEST(StackCards, ASuccessOfTheLocksHolderSupersedesTheRunThatWasLockedOut) {
  lock_info lock;
  lock.id = "of a1";
  EXPECT_EQ(outcome_of({apply("a1", 1).until(4), apply("b2", 2).until(3).locked_out_by(lock)}),
            "succeeded a1, supersedes b2 of 1");
  // Whose failure came after that success has the last word.
  EXPECT_EQ(
      outcome_of({apply("a1", 1).until(4), apply("b2", 2).until(5).ended(run_status::failed)}),
      "failed b2");
}

TEST(StackCards, RunOfWhichTheEndIsNotKnownSupersedesNothing) {
  EXPECT_EQ(outcome_of({plan("p1", 1).ended(run_status::failed),
                        plan("p2", 2).ended(run_status::unknown)}),
            "failed p1");
  EXPECT_EQ(outcome_of({plan("p1", 1), plan("p2", 2).ended(run_status::unknown)}), "unknown p2");
}

TEST(StackCards, RunThatTurnsOutToBeOfAnotherStackMoves) {
  stack_cards cards;
  cards.update(plan("p1", 1));
  EXPECT_EQ(cards.update(plan("p1", 1).in("dns")), (names{"dns", "net"}));
  EXPECT_EQ(cards.stacks(), names{"dns"});
}

// A year of a team, and the history of one stack that never ends. Were a change to cost what the
// history costs, this would not come to an end while somebody waits for it.
TEST(StackCards, ChangeCostsTheSameHoweverLongTheHistoryIs) {
  stack_cards cards;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    const std::string stack = i % 2 == 0 ? "one" : "s" + std::to_string(i % 1000);
    cards.update(i % 4 < 2 ? plan(std::to_string(i), i).wrote("h" + std::to_string(i)).in(stack)
                           : apply(std::to_string(i), i)
                                 .given("h" + std::to_string(i - 2))
                                 .ended(run_status::failed)
                                 .in(stack));
  }
  EXPECT_EQ(cards.runs(), 100'000);
  EXPECT_EQ(cards.card("one")->outcome->superseded, "");
  EXPECT_EQ(cards.card("one")->change->state, feed::change_state::failed);
}
