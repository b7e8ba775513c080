#include "daemon/notify/outbox.hpp"

#include "daemon/notify/limits.hpp"
#include "daemon/notify/outbox_change.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

namespace tofud::notify {
namespace {

using namespace std::chrono_literals;

const time start{std::chrono::seconds{1'800'000'000}};

rule rule_for(std::string name, std::set<occasion> on, std::vector<std::string> stacks = {}) {
  rule one;
  one.name = std::move(name);
  one.on = std::move(on);
  one.stacks = std::move(stacks);
  return one;
}

happening end_of(std::string run, std::string stack, bool failed, time at = start) {
  report of;
  of.what = failed ? occasion::failed : occasion::recovered;
  of.run = std::move(run);
  of.stack = std::move(stack);
  of.command = "apply";
  of.status = failed ? "failed" : "succeeded";
  of.at = at;
  return {of, true};
}

class Outbox : public ::testing::Test {
 protected:
  std::vector<message> due(time now) { return box_->due(rules_, {}, 10, now); }
  std::vector<std::string> runs_due(time now) {
    std::vector<std::string> all;
    for (const message& each : due(now)) all.push_back(each.rule + " " + each.of.run);
    return all;
  }
  void reopen() { box_ = *outbox::open(path_, start); }

  tests::scratch_directory home_;
  std::string path_ = home_.path() + "/outbox.sqlite";
  std::unique_ptr<outbox> box_ = *outbox::open(path_, start);
  std::vector<rule> rules_{rule_for("all", {occasion::failed, occasion::recovered}),
                           rule_for("net", {occasion::failed}, {"net/*"})};
};

using texts = std::vector<std::string>;

TEST_F(Outbox, HasAMessageForEachRuleThatWantsIt) {
  box_->take(end_of("r1", "net/prod", true), rules_, start);
  EXPECT_EQ(runs_due(start), (texts{"all r1", "net r1"}));
  box_->delivered(due(start)[0].of.id, start);
  EXPECT_EQ(runs_due(start), (texts{"net r1"}));
  box_->take(end_of("r2", "pay/prod", true), rules_, start);
  EXPECT_EQ(runs_due(start), (texts{"all r2", "net r1"}));
}

TEST_F(Outbox, TakesWhatHappenedOnce) {
  for (int i = 0; i < 3; ++i) {
    box_->take(end_of("r1", "pay/prod", true), rules_, start);
    reopen();
  }
  ASSERT_EQ(runs_due(start), (texts{"all r1"}));
  box_->delivered(due(start)[0].of.id, start);
  box_->take(end_of("r1", "pay/prod", true), rules_, start);
  EXPECT_EQ(runs_due(start), texts{});
}

TEST_F(Outbox, ASuccessIsNewsAfterAFailureOfTheSame) {
  box_->take(end_of("r1", "a", false), rules_, start);
  EXPECT_EQ(runs_due(start), texts{});
  box_->take(end_of("r2", "a", true), rules_, start);
  const std::string failure = due(start)[0].of.id;
  box_->delivered(failure, start);
  box_->take(end_of("r3", "b", false), rules_, start);
  EXPECT_EQ(runs_due(start), texts{});
  box_->take(end_of("r4", "a", false), rules_, start);
  ASSERT_EQ(runs_due(start), (texts{"all r4"}));
  EXPECT_EQ(due(start)[0].of.resolves, failure);
  box_->delivered(due(start)[0].of.id, start);
  box_->take(end_of("r5", "a", false), rules_, start);
  EXPECT_EQ(runs_due(start), texts{});
}

TEST_F(Outbox, OldNewsIsNone) {
  box_->take(end_of("r1", "a", true, start - 1s), rules_,
             start + 1h);  // before there was an outbox
  box_->take(end_of("r2", "a", true, start), rules_, start + 25h);
  EXPECT_EQ(runs_due(start + 30h), texts{});
}

TEST_F(Outbox, TriesAgainLaterAndGivesUpAfterADay) {
  box_->take(end_of("r1", "a", true), rules_, start);
  const std::string id = due(start)[0].of.id;
  box_->failed(id, "status 500", start + 5s, start);
  EXPECT_EQ(runs_due(start + 4s), texts{});
  ASSERT_EQ(runs_due(start + 5s), (texts{"all r1"}));
  EXPECT_EQ(due(start + 5s)[0].tries, 1U);
  box_->failed(id, "status 500", start + 24h + 10s, start + 24h);
  EXPECT_EQ(runs_due(start + 48h), texts{});
  ASSERT_EQ(box_->list(10).size(), 1U);
  EXPECT_TRUE(box_->list(10)[0].is_given_up);
  EXPECT_EQ(box_->list(10)[0].last, "status 500");
  EXPECT_EQ(box_->retry("nosuch", start + 48h), 0U);
  EXPECT_EQ(box_->retry(id, start + 48h), 1U);
  EXPECT_EQ(runs_due(start + 48h), (texts{"all r1"}));
}

TEST_F(Outbox, WhatFailsHoldsTheOthersOfItsRuleBack) {
  box_->take(end_of("r1", "net/a", true), rules_, start);
  box_->take(end_of("r2", "net/b", true), rules_, start);
  const auto first = due(start)[1];
  ASSERT_EQ(first.rule, "net");
  box_->failed(first.of.id, "x", start + 1min, start);
  EXPECT_EQ(runs_due(start), (texts{"all r1"}));
}

TEST_F(Outbox, ABurstIsOneMessageThatKeepsItsId) {
  for (int i = 0; i < 12; ++i)
    box_->take(end_of("r" + std::to_string(i), "s" + std::to_string(i), true), rules_, start);
  // The first four at once, one after the other; the rest when two minutes are over.
  for (int i = 0; i < 4; ++i) {
    const auto now = due(start + 1s);
    ASSERT_EQ(now.size(), 1U);
    EXPECT_TRUE(now[0].of.others.empty());
    box_->delivered(now[0].of.id, start + 1s);
  }
  EXPECT_EQ(runs_due(start + 1s), texts{});
  const auto burst = due(start + limits::told_burst);
  ASSERT_EQ(burst.size(), 1U);
  EXPECT_EQ(burst[0].of.others.size(), 8U);
  reopen();
  const auto again = due(start + limits::told_burst);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].of.id, burst[0].of.id);
  EXPECT_EQ(again[0].of, burst[0].of);
  box_->delivered(burst[0].of.id, start + limits::told_burst);
  EXPECT_EQ(runs_due(start + 1h), texts{});
  EXPECT_EQ(box_->count().waiting, 0);
}

TEST_F(Outbox, ForgetsWhatIsOld) {
  box_->take(end_of("r1", "a", true), rules_, start);
  box_->give_up("all", "gone", start);
  box_->tidy(start + limits::outbox_kept - 1h);
  EXPECT_EQ(box_->count().given_up, 1);
  box_->tidy(start + limits::outbox_kept + 1h);
  EXPECT_EQ(box_->count().given_up, 0);
}

TEST_F(Outbox, ABusyRuleWaits) {
  box_->take(end_of("r1", "net/a", true), rules_, start);
  EXPECT_EQ(box_->due(rules_, {"net"}, 10, start).size(), 1U);
  EXPECT_EQ(box_->due(rules_, {}, 1, start).size(), 1U);
}

class SharedOutbox : public Outbox {
 protected:
  void apply(outbox& in, std::uint64_t number, outbox_change change) {
    in.apply(to_json(change), rules_, number, start);
  }
  outbox_change took(const happening& what) { return {outbox_change::kind::took, what, "", {}}; }
};

TEST_F(SharedOutbox, IsTheSameEverywhereAfterTheSameChanges) {
  const auto other = *outbox::open(home_.path() + "/other.sqlite", time{});
  const auto mine = *outbox::open(home_.path() + "/mine.sqlite", time{});
  std::uint64_t number = 0;
  for (const bool failed : {true, false}) {
    ++number;
    for (outbox* each : {other.get(), mine.get()})
      apply(*each, number, took(end_of("r" + std::to_string(number), "net/prod", failed)));
  }
  const auto due_of = [&](outbox& in) { return in.due(rules_, {}, 10, start); };
  ASSERT_EQ(due_of(*other).size(), 2U);
  EXPECT_EQ(due_of(*other)[0].of, due_of(*mine)[0].of);
  const std::string id = due_of(*other)[0].of.id;
  for (outbox* each : {other.get(), mine.get()})
    apply(*each, number + 1, {outbox_change::kind::delivered, {}, "", {id}});
  EXPECT_NE(due_of(*mine)[0].of.id, id);
  EXPECT_EQ(mine->applied(), 3U);
}

TEST_F(SharedOutbox, AppliesEachChangeOnceAndPassesOverWhatItDoesNotKnow) {
  apply(*box_, 5, took(end_of("r1", "net/prod", true)));
  apply(*box_, 5, took(end_of("r2", "net/prod", true)));
  apply(*box_, 4, took(end_of("r3", "net/prod", true)));
  box_->apply("{\"change\":\"painted\"}", rules_, 6, start);
  box_->apply("no JSON", rules_, 7, start);
  EXPECT_EQ(box_->applied(), 7U);
  EXPECT_EQ(runs_due(start), (texts{"all r1", "net r1"}));
  EXPECT_EQ(box_->without_end({"r1", "r2"}), (texts{"r2"}));
  box_->forget_applied();
  apply(*box_, 1, took(end_of("r1", "net/prod", true)));
  EXPECT_EQ(runs_due(start), (texts{"all r1", "net r1"}));
}

TEST_F(SharedOutbox, MergesWhatAnotherOneMerged) {
  for (int run = 1; run <= 3; ++run)
    apply(*box_, static_cast<std::uint64_t>(run),
          took(end_of("r" + std::to_string(run), "pay", true)));
  std::vector<report> all;
  std::vector<std::string> ids;
  for (int run = 1; run <= 3; ++run) {
    all.push_back(end_of("r" + std::to_string(run), "pay", true).of);
    all.back().id = report_id(all.back().run, occasion::failed, "all");
    ids.push_back(all.back().id);
  }
  const report burst = burst_of(all, "all");
  apply(*box_, 4, {outbox_change::kind::merged, {burst, false}, "all", ids});
  ASSERT_EQ(due(start).size(), 1U);
  EXPECT_EQ(due(start)[0].of.id, burst.id);
}

}  // namespace
}  // namespace tofud::notify
