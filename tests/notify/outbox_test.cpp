#include "daemon/notify/outbox.hpp"

#include "daemon/notify/limits.hpp"
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

}  // namespace
}  // namespace tofud::notify
