#include "daemon/history/table.hpp"

#include "daemon/history/limits.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tofud::history {
namespace {

using tests::scratch_directory;

ui::time_point at(int second) { return ui::time_point{std::chrono::seconds{second}}; }

class Table : public testing::Test {  // NOLINT(readability-identifier-naming): shown as printed
 protected:
  void SetUp() override { make_tables(in_); }

  static operation made(const std::string& addr, double seconds, int second,
                        const std::string& status = "done", const std::string& action = "create") {
    operation each;
    each.addr = addr;
    each.type = addr.substr(0, addr.find('.'));
    each.action = action;
    each.phase = action == "refresh" ? "plan" : "apply";
    each.status = status;
    each.seconds = seconds;
    each.started_at = at(second);
    return each;
  }

  void add(const std::string& run, const std::vector<operation>& did,
           const std::string& stack = "net") {
    remembered_run of;
    of.id = run;
    of.stack = stack;
    of.commit = "9f3c" + run;
    sqlite::transaction all{in_};
    put(in_, run, of, did);
    all.commit();
  }

  std::optional<usual> usual_of(const usual_query& query) {
    return find_usual(in_, std::vector{query}).at(0);
  }

  scratch_directory directory_;
  sqlite::database in_{directory_ / "history.db"};
};

TEST_F(Table, SaysWhatIsUsualOfAnAddressByItsNewestOperations) {
  std::vector<operation> did;
  for (int i = 0; i < 30; ++i) did.push_back(made("aws_db.a", 100 + i, i));
  add("r1", did);
  const auto found = usual_of({"net", "aws_db.a", "aws_db", "create"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, rung::address);
  EXPECT_EQ(found->count, limits::usual_of);
  EXPECT_EQ(found->p50, 119);  // of 110 to 129
  EXPECT_EQ(found->p80, 125);
  EXPECT_FALSE(found->flaky);
}

TEST_F(Table, GoesUpTheLadderToTheStackAndThenToOtherStacks) {
  add("r1", {made("aws_db.a", 10, 1), made("aws_db.b", 20, 2), made("aws_db.c", 30, 3)});
  const auto of_stack = usual_of({"net", "aws_db.new", "aws_db", "create"});
  ASSERT_TRUE(of_stack);
  EXPECT_EQ(of_stack->at, rung::stack);
  EXPECT_EQ(of_stack->p50, 20);
  EXPECT_FALSE(usual_of({"other", "aws_db.new", "aws_db", "create"}));
  for (int i = 0; i < 20; ++i) {
    add("s" + std::to_string(i), {made("aws_db.a", 7, 10 + i)}, "stack" + std::to_string(i % 3));
  }
  const auto anywhere = usual_of({"unknown", "aws_db.new", "aws_db", "create"});
  ASSERT_TRUE(anywhere);
  EXPECT_EQ(anywhere->at, rung::anywhere);
  EXPECT_EQ(anywhere->p50, 7);
}

TEST_F(Table, FailuresSayNothingOfHowLongThingsTakeButMakeThemFlaky) {
  add("r1",
      {made("a.a", 5, 1), made("a.a", 99, 2, "failed"), made("a.a", 5, 3), made("a.a", 5, 4)});
  const auto found = usual_of({"net", "a.a", "a", "create"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 3U);
  EXPECT_EQ(found->p80, 5);
  EXPECT_TRUE(found->flaky);
  add("r2", {made("a.a", 5, 5), made("a.a", 5, 6), made("a.a", 5, 7)});
  EXPECT_FALSE(usual_of({"net", "a.a", "a", "create"})->flaky);
}

TEST_F(Table, AnAddressThatAlwaysFailsEndsTheSearch) {
  std::vector<operation> did;
  for (std::size_t i = 0; i < limits::usual_looked_at + 5; ++i)
    did.push_back(made("a.a", 5, static_cast<int>(i) + 1, "failed"));
  did.push_back(made("a.a", 5, 0));
  add("r1", did);
  EXPECT_FALSE(usual_of({"net", "a.a", "a", "create"}));
}

TEST_F(Table, AnswersAQuestionAboutAnAddressInAllStacksOrOne) {
  add("r1", {made("a.a", 5, 1), made("a.a", 2, 2, "done", "update"), made("b.b", 1, 3)});
  add("r2", {made("a.a", 7, 4)}, "other");
  report_query query;
  query.addr = "a.a";
  const report all = find(in_, query);
  ASSERT_EQ(all.entries.size(), 3U);
  EXPECT_EQ(all.read, 3U);
  query.stack = "net";
  const report one = find(in_, query);
  ASSERT_EQ(one.entries.size(), 2U);
  EXPECT_EQ(one.entries[0].action, "create");
  ASSERT_TRUE(one.entries[0].changed);
  EXPECT_EQ(one.entries[0].changed->run, "r1");
  EXPECT_EQ(one.entries[0].changed->action, "update");
  EXPECT_EQ(one.entries[0].changed->commit, "9f3cr1");
  EXPECT_EQ(one.entries[0].first_at, at(1));
  query.stack = "unknown";
  EXPECT_TRUE(find(in_, query).entries.empty());
}

TEST_F(Table, AnswersAQuestionAboutAStackOrTypeSlowestFirst) {
  add("r1", {made("a.fast", 1, 1), made("a.slow", 50, 2), made("b.b", 7, 3),
             made("a.slow", 2, 4, "done", "refresh")});
  add("r2", {made("a.a", 1, 5)}, "other");
  report_query query;
  query.stack = "net";
  const report of_stack = find(in_, query);
  ASSERT_EQ(of_stack.entries.size(), 4U);
  EXPECT_EQ(of_stack.entries[0].addr, "a.slow");
  ASSERT_EQ(of_stack.types.size(), 2U);
  EXPECT_EQ(of_stack.types[0].name, "b");
  ASSERT_EQ(of_stack.refreshes.size(), 1U);
  EXPECT_EQ(of_stack.refreshes[0].name, "a.slow");
  query.type = "b";
  EXPECT_EQ(find(in_, query).entries.size(), 1U);
  query.stack.clear();
  query.type = "a";
  EXPECT_EQ(find(in_, query).entries.size(), 4U);
  query.limit = 2;
  EXPECT_TRUE(find(in_, query).more);
  EXPECT_EQ(find(in_, report_query{}).read, 5U);
}

TEST_F(Table, TellsASenderOfItsStackTheSlowestAddresses) {
  add("r1", {made("a.fast", 1, 1), made("a.slow", 50, 2), made("a.slow", 60, 3),
             made("a.broken", 9, 4, "failed"), made("b.mid", 7, 5)});
  add("r2", {made("c.other", 99, 6)}, "other");
  const auto told = usual_of_stack(in_, "net", 2);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].addr, "a.slow");
  EXPECT_EQ(told[0].action, "create");
  EXPECT_EQ(told[0].how, (usual{50, 60, 2, rung::address, false}));
  EXPECT_EQ(told[1].addr, "b.mid");
  EXPECT_TRUE(usual_of_stack(in_, "unknown", 2).empty());
  EXPECT_TRUE(usual_of_stack(in_, "", 2).empty());
}

TEST_F(Table, WhatFailedLatelyStandsFirst) {
  add("r1", {made("a.slow", 50, 1), made("a.broken", 1, 2, "failed")});
  EXPECT_EQ(find(in_, report_query{}).entries.at(0).addr, "a.broken");
}

TEST_F(Table, ForgetsWhatAStreamDid) {
  add("r1", {made("a.a", 5, 1)});
  add("r2", {made("a.a", 6, 2)});
  EXPECT_TRUE(knows(in_, "r1"));
  forget(in_, "r1");
  EXPECT_FALSE(knows(in_, "r1"));
  report_query query;
  query.addr = "a.a";
  EXPECT_EQ(find(in_, query).read, 1U);
}

TEST_F(Table, NamesThatNoOperationHasGoWithTheOldest) {
  for (int run = 0; run < 3; ++run) {
    std::vector<operation> did;
    for (int i = 0; i < 1000; ++i)
      did.push_back(made("a.x" + std::to_string(1000 * run + i), 1, run));
    add("r" + std::to_string(run), did);
  }
  trim(in_, 100);
  EXPECT_EQ(in_.number("SELECT count(*) FROM operations"), 100);
  EXPECT_LT(in_.number("SELECT count(*) FROM history_names"), 200);
  report_query query;
  query.addr = "a.x2999";
  EXPECT_EQ(find(in_, query).read, 1U);
}

TEST_F(Table, TellsNothingOfRunsThatMayNotBeSeen) {
  add("r1", {made("aws_db.a", 10, 1), made("aws_db.b", 7, 2)});
  add("r2", {made("aws_db.a", 1000, 3), made("aws_db.c", 500, 4, "failed")}, "pay");
  add("r3", {made("aws_db.a", 2000, 5)}, "pay/eu");
  const sqlite::row_filter only_net = [](std::string_view stack, std::string_view) {
    return stack == "net";
  };
  const auto ask = [&](const report_query& query) { return find(in_, query, only_net); };
  EXPECT_EQ(find(in_, {}).entries.size(), 5U);
  const auto all = ask({});
  ASSERT_EQ(all.entries.size(), 2U);
  EXPECT_EQ(all.read, 2U);
  for (const entry& each : all.entries) EXPECT_EQ(each.stack, "net");
  ASSERT_EQ(all.types.size(), 1U);
  EXPECT_EQ(all.types.front().p80, 10);
  const auto of_addr = ask({"aws_db.a", "", ""});
  ASSERT_EQ(of_addr.entries.size(), 1U);
  EXPECT_EQ(of_addr.entries.front().changed->run, "r1");
  EXPECT_EQ(find(in_, {"aws_db.a", "", ""}).entries.size(), 3U);
  for (const report_query& hidden :
       {report_query{"aws_db.c", "", ""}, report_query{"", "pay", ""},
        report_query{"aws_db.a", "pay", ""}, report_query{"", "pay", "aws_db"}}) {
    EXPECT_TRUE(ask(hidden).entries.empty());
    EXPECT_EQ(ask(hidden).read, 0U);
    EXPECT_FALSE(find(in_, hidden).entries.empty());
  }
  EXPECT_EQ(ask({"", "", "aws_db"}).entries.size(), 2U);
  EXPECT_TRUE(usual_of_stack(in_, "pay/eu", 9, only_net).empty());
  EXPECT_EQ(usual_of_stack(in_, "net", 9, only_net).size(), 2U);
  // The filter is gone with the question.
  EXPECT_EQ(find(in_, {}).entries.size(), 5U);
}

TEST_F(Table, ScoresOfEstimatesAreOfRunsThatMayBeSeen) {
  for (const char* stack : {"net", "pay"}) {
    remembered_run of;
    of.id = of.stack = stack;
    of.said = {{25, 10, 20, 15}};
    sqlite::transaction each{in_};
    put(in_, of.id, of, std::vector{made("aws_db.a", 10, 1)});
    each.commit();
  }
  EXPECT_EQ(find(in_, {}).score.front().runs, 2U);
  EXPECT_EQ(find(in_, {}, [](std::string_view stack, std::string_view) { return stack == "net"; })
                .score.front()
                .runs,
            1U);
}

TEST_F(Table, WhatIsUsualComesFromRunsWithTheSameGrantedLabels) {
  const auto add_granted = [&](const std::string& run, double seconds, const std::string& granted) {
    remembered_run of;
    of.id = run;
    of.stack = "net";
    of.granted = granted;
    sqlite::transaction all{in_};
    put(in_, run, of, std::vector{made("aws_db.a", seconds, 1)});
    all.commit();
  };
  add_granted("r1", 10, "");
  add_granted("r2", 500, "team=pay\n");
  EXPECT_EQ(usual_of({"net", "aws_db.a", "aws_db", "create"})->p50, 10);
  EXPECT_EQ(usual_of({"net", "aws_db.a", "aws_db", "create", "team=pay\n"})->p50, 500);
  EXPECT_FALSE(usual_of({"net", "aws_db.a", "aws_db", "create", "team=x\n", false}));
  EXPECT_EQ(usual_of({"net", "aws_db.z", "aws_db", "create"})->p50, 10);
}

TEST_F(Table, OtherStacksTellNothingWhereSomebodyMayNotSeeThem) {
  for (std::size_t i = 0; i < limits::usual_of; ++i) {
    add("r" + std::to_string(i), {made("aws_db.a", 10, 1)}, "stack" + std::to_string(i));
  }
  usual_query asked{"net", "aws_db.x", "aws_db", "create"};
  ASSERT_TRUE(usual_of(asked));
  EXPECT_EQ(usual_of(asked)->at, rung::anywhere);
  asked.everywhere = false;
  EXPECT_FALSE(usual_of(asked));
}

TEST_F(Table, TakesOverTablesThatKnewNothingOfGrantedLabels) {
  add("r1", {made("aws_db.a", 10, 1)});
  in_.execute("DROP INDEX granted_runs; ALTER TABLE history_runs DROP COLUMN granted");
  add_tables(in_);
  add_tables(in_);
  add("r2", {made("aws_db.a", 20, 2)});
  EXPECT_EQ(find(in_, {"aws_db.a", "", ""}).read, 2U);
}

}  // namespace
}  // namespace tofud::history
