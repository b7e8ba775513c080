// A plan and its apply are one change: every rule of how they are found and how they stand.
#include "tests/wall/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace tofud;
using namespace tofud::wall;
using feed::run_status;

namespace {

/// "waiting, plan p1", "applied, plan p1, apply a1 by hash".
std::string told(const std::optional<feed::stack_change>& change) {
  if (!change) return "no change";
  std::string text{name(change->state)};
  if (!change->plan_run.empty()) text += ", plan " + change->plan_run;
  if (!change->apply_run.empty()) text += ", apply " + change->apply_run;
  if (change->linked != feed::change_link::none) text.append(" by ").append(name(change->linked));
  return text;
}

struct known_history {
  explicit known_history(std::vector<run_facts> runs) {
    // What a card says does not depend on the order in which runs come to be known.
    std::mt19937 random{static_cast<unsigned>(runs.size())};
    std::shuffle(runs.begin(), runs.end(), random);
    for (const run_facts& run : runs) cards.update(run);
  }
  std::string shown(std::string_view stack = "net") const {
    const auto* card = cards.card(stack);
    return card == nullptr ? "no card" : told(card->change);
  }
  std::string of(std::string_view run) const { return told(cards.change_of(run)); }
  stack_cards cards;
};

}  // namespace

TEST(Change, APlanWithoutAFileIsPlannedAndDoesNotWait) {
  EXPECT_EQ(known_history({plan("p1", 1)}).shown(), "planned, plan p1");
}

TEST(Change, APlanFileWithoutChangesIsPlannedAndDoesNotWait) {
  EXPECT_EQ(known_history({plan("p1", 1).wrote("h1").without_changes()}).shown(),
            "planned, plan p1");
}

TEST(Change, PlanFileWithChangesWaitsForItsApply) {
  EXPECT_EQ(known_history({plan("p1", 1).wrote("h1")}).shown(), "waiting, plan p1");
}

TEST(Change, PlanThatGoesOnOrFailedIsNoChange) {
  EXPECT_EQ(known_history({plan("p1", 1).goes_on()}).shown(), "no change");
  EXPECT_EQ(known_history({plan("p1", 1).ended(run_status::failed)}).shown(), "no change");
}

TEST(Change, ApplyOfThePlanFileIsLinkedByItsHash) {
  const known_history history{{plan("p1", 1).wrote("h1"), apply("a1", 2).given("h1")}};
  EXPECT_EQ(history.shown(), "applied, plan p1, apply a1 by hash");
  EXPECT_EQ(history.of("p1"), "applied, plan p1, apply a1 by hash");
  EXPECT_EQ(history.of("a1"), "applied, plan p1, apply a1 by hash");
}

TEST(Change, ApplyThatGoesOnIsApplyingFromItsBeginning) {
  made_run early = apply("a1", 2).given("h1").goes_on();
  early.facts().apply_ran = false;
  EXPECT_EQ(known_history({plan("p1", 1).wrote("h1"), early}).shown(),
            "applying, plan p1, apply a1 by hash");
}

TEST(Change, ApplyThatEndedBadlyMakesItFailed) {
  for (const auto status : {run_status::failed, run_status::interrupted, run_status::lost}) {
    EXPECT_EQ(known_history({plan("p1", 1).wrote("h1"), apply("a1", 2).given("h1").ended(status)})
                  .shown(),
              "failed, plan p1, apply a1 by hash");
  }
}

TEST(Change, TheHashOfAPlanFileLinksAcrossStacks) {
  const known_history history{
      {plan("p1", 1).wrote("h1"), apply("a1", 2).given("h1").in("runner:/tmp/x@default")}};
  EXPECT_EQ(history.shown("net"), "applied, plan p1, apply a1 by hash");
  EXPECT_EQ(history.shown("runner:/tmp/x@default"), "applied, plan p1, apply a1 by hash");
}

TEST(Change, ApplyWithoutAPlanFileIsLinkedByTheCommitThatCiGave) {
  EXPECT_EQ(known_history({plan("p1", 1).at_commit("c1"), apply("a1", 2).at_commit("c1")}).shown(),
            "applied, plan p1, apply a1 by commit");
}

TEST(Change, NewestPlanOfTheCommitIsTheOne) {
  const known_history history{{plan("p1", 1).at_commit("c1"), plan("p2", 2).at_commit("c1"),
                               plan("p3", 3).at_commit("c2"), apply("a1", 4).at_commit("c1"),
                               plan("p4", 5).at_commit("c1")}};
  EXPECT_EQ(history.of("a1"), "applied, plan p2, apply a1 by commit");
  EXPECT_EQ(history.of("p1"), "outdated, plan p1");
  EXPECT_EQ(history.of("p2"), "applied, plan p2, apply a1 by commit");
}

TEST(Change, CommitLinksOnlyWithinAStack) {
  const known_history history{
      {plan("p1", 1).at_commit("c1").in("dns"), apply("a1", 2).at_commit("c1")}};
  EXPECT_EQ(history.shown("dns"), "planned, plan p1");
  EXPECT_EQ(history.shown("net"), "applied, apply a1");
}

TEST(Change, CommitThatWasReadFromADirectoryLinksNothingSinceThatMayBeDirty) {
  EXPECT_EQ(
      known_history({plan("p1", 1).at_commit("c1", false), apply("a1", 2).at_commit("c1")}).shown(),
      "applied, apply a1");
  EXPECT_EQ(
      known_history({plan("p1", 1).at_commit("c1"), apply("a1", 2).at_commit("c1", false)}).shown(),
      "applied, apply a1");
}

TEST(Change, ApplyOfAnotherPlanFileIsNeverLinkedByItsCommit) {
  EXPECT_EQ(known_history({plan("p1", 1).at_commit("c1").wrote("h1"),
                           apply("a1", 2).at_commit("c1").given("elsewhere")})
                .shown(),
            "applied, apply a1");
}

TEST(Change, ApplyOfAPlanFileThatCouldNotBeHashedIsLinkedToNothing) {
  made_run unhashed = apply("a1", 2).at_commit("c1");
  unhashed.facts().takes_plan = true;
  EXPECT_EQ(known_history({plan("p1", 1).at_commit("c1"), unhashed}).shown(), "applied, apply a1");
}

TEST(Change, PlanIsOutdatedOnceAnotherRunOfTheStackReachedTheApplyPhase) {
  const known_history history{{plan("p1", 1).wrote("h1"), apply("a1", 2).goes_on()}};
  EXPECT_EQ(history.of("p1"), "outdated, plan p1");
  EXPECT_EQ(history.shown(), "applying, apply a1");
}

TEST(Change, RunThatNeverReachedTheApplyPhaseOutdatesNothing) {
  made_run stopped_early = apply("a1", 2).ended(run_status::failed);
  stopped_early.facts().apply_ran = false;
  EXPECT_EQ(known_history({plan("p1", 1).wrote("h1"), stopped_early}).shown(), "waiting, plan p1");
}

TEST(Change, ApplyBeforeThePlanOutdatesItOnlyIfItWasStillOn) {
  EXPECT_EQ(known_history({apply("a1", 1), plan("p1", 2).wrote("h1")}).shown(), "waiting, plan p1");
  EXPECT_EQ(known_history({apply("a1", 1).until(5), plan("p1", 2).wrote("h1")}).of("p1"),
            "outdated, plan p1");
}

TEST(Change, ApplyOfAnotherStackOutdatesNothing) {
  EXPECT_EQ(known_history({plan("p1", 1).wrote("h1"), apply("a1", 2).in("dns")}).shown(),
            "waiting, plan p1");
}

TEST(Change, PlanThatWasFoundStaleIsOutdated) {
  made_run refused = apply("a1", 2).given("h1").found_it_stale();
  refused.facts().apply_ran = false;
  EXPECT_EQ(known_history({plan("p1", 1).wrote("h1"), refused}).shown(),
            "outdated, plan p1, apply a1 by hash");
}

TEST(Change, SecondApplyOfAPlanFileDoesNotTakeBackTheFirst) {
  made_run again = apply("a2", 3).given("h1").found_it_stale();
  again.facts().apply_ran = false;
  const known_history history{{plan("p1", 1).wrote("h1"), apply("a1", 2).given("h1"), again}};
  EXPECT_EQ(history.of("p1"), "applied, plan p1, apply a1 by hash");
  EXPECT_EQ(history.of("a2"), "outdated, plan p1, apply a2 by hash");
}

TEST(Change, NewerPlanFileOutdatesAnOlderWaitingOne) {
  const known_history history{{plan("p1", 1).wrote("h1"), plan("p2", 2).wrote("h2")}};
  EXPECT_EQ(history.of("p1"), "outdated, plan p1");
  EXPECT_EQ(history.shown(), "waiting, plan p2");
}

TEST(Change, NewerPlanWithoutAFileLeavesTheOneThatWaits) {
  EXPECT_EQ(known_history({plan("p1", 1).wrote("h1"), plan("p2", 2)}).shown(), "waiting, plan p1");
}

TEST(Change, OlderPlanFileThatIsAppliedAllTheSameIsApplied) {
  const known_history history{
      {plan("p1", 1).wrote("h1"), plan("p2", 2).wrote("h2"), apply("a1", 3).given("h1")}};
  EXPECT_EQ(history.of("p1"), "applied, plan p1, apply a1 by hash");
  EXPECT_EQ(history.of("p2"), "outdated, plan p2");
}

TEST(Change, AnAppliedPlanStaysApplied) {
  EXPECT_EQ(known_history({plan("p1", 1).wrote("h1"), apply("a1", 2).given("h1"), apply("a2", 3)})
                .of("p1"),
            "applied, plan p1, apply a1 by hash");
}

TEST(Change, ARemovedApplyLetsThePlanWaitAgain) {
  known_history history{{plan("p1", 1).wrote("h1"), apply("a1", 2).given("h1")}};
  history.cards.forget("a1");
  EXPECT_EQ(history.shown(), "waiting, plan p1");
}

TEST(Change, RunWhoseCommandIsInferredIsAPlanUntilItApplies) {
  made_run run = plan("r1", 2).goes_on();
  run.facts().command_told = false;
  stack_cards cards;
  cards.update(plan("p1", 1).wrote("h1"));
  cards.update(run);
  EXPECT_EQ(told(cards.card("net")->change), "waiting, plan p1");
  run.facts().command = feed::run_command::apply;
  run.facts().apply_ran = true;
  cards.update(run);
  EXPECT_EQ(told(cards.card("net")->change), "applying, apply r1");
}
