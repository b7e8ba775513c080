#include "daemon/wall/drift.hpp"

#include "tests/wall/history.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::wall {
namespace {

using feed::run_command;
using feed::run_status;

/// The card of "net" after these runs, in this order of their coming.
class net {
 public:
  net& takes(made_run run) {
    cards_.update(run.facts());
    return *this;
  }
  /// "since N by RUN: COUNT", N in minutes; "none".
  std::string drift() const {
    const auto& found = cards_.card("net")->drift;
    if (!found) return "none";
    const auto since = std::chrono::duration_cast<std::chrono::minutes>(found->since - minute(0));
    return "since " + std::to_string(since.count()) + " by " + found->run + ": " +
           std::to_string(found->resources);
  }

 private:
  stack_cards cards_;
};

made_run plan(std::string id, std::int64_t at, std::uint64_t drifted = 0) {
  made_run run{std::move(id), run_command::plan, at};
  run.facts().rows.drifted = drifted;
  run.facts().has_changes = false;
  return run;
}

made_run check(std::string id, std::int64_t at, std::uint64_t drifted = 0) {
  made_run run = plan(std::move(id), at, drifted);
  take(run.facts(), feed::label{"purpose", "drift"});
  return run;
}

made_run apply(std::string id, std::int64_t at) { return {std::move(id), run_command::apply, at}; }

TEST(Drift, LastsFromTheFirstPlanThatFindsItUntilAWholeApply) {
  net of;
  EXPECT_EQ(of.takes(apply("a", 1)).drift(), "none");
  EXPECT_EQ(of.takes(check("b", 10, 2)).drift(), "since 10 by b: 2");
  EXPECT_EQ(of.takes(check("c", 20, 3)).drift(), "since 10 by c: 3");
  EXPECT_EQ(of.takes(apply("d", 30).ended(run_status::failed)).drift(), "since 10 by c: 3");
  EXPECT_EQ(of.takes(apply("e", 40)).drift(), "none");
}

TEST(Drift, IsOverWhenALookForItFindsNothing) {
  net of;
  of.takes(check("a", 10, 2));
  // A plan that was not there to look may leave out what has no part in its changes.
  EXPECT_EQ(of.takes(plan("b", 20)).drift(), "since 10 by a: 2");
  EXPECT_EQ(of.takes(check("c", 30)).drift(), "none");
  EXPECT_EQ(of.takes(check("d", 40, 1)).drift(), "since 40 by d: 1");
}

TEST(Drift, IsFoundByAnyWholePlanThatReportsIt) {
  net of;
  EXPECT_EQ(of.takes(plan("a", 10, 1)).drift(), "since 10 by a: 1");
}

TEST(Drift, IsWhatALookWouldChange) {
  net of;
  made_run found = check("a", 10);
  found.facts().has_changes = true;
  EXPECT_EQ(of.takes(std::move(found)).drift(), "since 10 by a: 0");
}

TEST(Drift, IsWhatThePlanOfTheAppliedCommitWouldChange) {
  net of;
  of.takes(apply("a", 1).at_commit("c1"));
  made_run other = plan("b", 10);
  other.facts().has_changes = true;
  EXPECT_EQ(of.takes(std::move(other).at_commit("c2")).drift(), "none");
  made_run same = plan("c", 20);
  same.facts().has_changes = true;
  EXPECT_EQ(of.takes(std::move(same).at_commit("c1")).drift(), "since 20 by c: 0");
}

TEST(Drift, PlansOfBranchesOfSomeResourcesAndFailedOnesSayNothingOfIt) {
  const auto on_branch = [](made_run run, const std::string& branch) {
    take(run.facts(), feed::label{"branch", branch});
    return run;
  };
  const auto of_pull_request = [](made_run run) {
    take(run.facts(), feed::label{"pr", "7"});
    return run;
  };
  const auto of_some = [](made_run run) {
    feed::diagnostic_row warning;
    warning.severity = "warning";
    warning.summary = "Resource targeting is in effect";
    take(run.facts(), warning);
    return run;
  };
  for (const std::uint64_t found : {0U, 5U}) {  // neither set nor clear
    for (const bool is_there : {false, true}) {
      net of;
      of.takes(on_branch(apply("a", 1), "main"));
      if (is_there) of.takes(check("b", 10, 2));
      const std::string before = of.drift();
      EXPECT_EQ(of.takes(on_branch(check("c", 20, found), "feature")).drift(), before);
      EXPECT_EQ(of.takes(of_pull_request(check("d", 21, found))).drift(), before);
      EXPECT_EQ(of.takes(of_some(check("e", 22, found))).drift(), before);
      EXPECT_EQ(of.takes(check("f", 23, found).ended(run_status::failed)).drift(), before);
      EXPECT_EQ(of.takes(check("g", 24, found).goes_on()).drift(), before);
      EXPECT_EQ(of.takes(of_some(apply("h", 25))).drift(), before);
      // The branch of the last apply does.
      EXPECT_EQ(of.takes(on_branch(check("i", 26), "main")).drift(), "none");
    }
  }
}

TEST(Drift, IsStillThereAfterHundredsOfPlansThatSayNothingOfIt) {
  net of;
  of.takes(check("a", 10, 2));
  for (int i = 0; i < 300; ++i) {
    made_run other = plan("pr" + std::to_string(i), 20 + i);
    take(other.facts(), feed::label{"pr", "7"});
    of.takes(std::move(other)).takes(plan("plain" + std::to_string(i), 20 + i));
  }
  EXPECT_EQ(of.drift(), "since 10 by a: 2");
}

TEST(Drift, DoesNotDependOnTheOrderInWhichRunsCome) {
  net of;
  of.takes(check("c", 20, 3)).takes(apply("a", 1)).takes(check("b", 10, 2));
  EXPECT_EQ(of.drift(), "since 10 by c: 3");
}

}  // namespace
}  // namespace tofud::wall
