#include "daemon/journal/retention.hpp"

#include "daemon/history/limits.hpp"
#include "daemon/journal/limits.hpp"
#include "tests/journal/opened_store.hpp"

#include <gtest/gtest.h>

namespace tofud::journal {
namespace {

using namespace std::chrono_literals;

retained_run ended(const std::string& id, int second) {
  return {id, at_second(second), at_second(second + 1), 100};
}

bool nothing(const std::string& /*run*/) { return false; }

indexed_run listed(const std::string& id) {
  indexed_run run;
  run.id = id;
  return run;
}

using names = std::vector<std::string>;

TEST(Retention, EverythingStaysWithoutALimit) {
  EXPECT_EQ(beyond({}, {ended("a", 1)}, at_second(1'000'000'000), nothing), names{});
}

TEST(Retention, AgeCountsFromTheEndOfTheRun) {
  const retention day{24h, {}, {}};
  const auto now = at_second(10) + 24h;
  EXPECT_EQ(beyond(day, {ended("a", 1), ended("b", 8), ended("c", 9)}, now, nothing),
            (names{"a", "b"}));
}

TEST(Retention, TheOldestGoFirst) {
  EXPECT_EQ(
      beyond({{}, 1, {}}, {ended("b", 2), ended("c", 3), ended("a", 1)}, at_second(9), nothing),
      (names{"a", "b"}));
  EXPECT_EQ(
      beyond({{}, {}, 250}, {ended("b", 2), ended("c", 3), ended("a", 1)}, at_second(9), nothing),
      (names{"a"}));
}

TEST(Retention, UnfinishedRunsStayAndDisplaceNoOther) {
  retained_run open = ended("a", 1);
  open.over_at.reset();
  EXPECT_EQ(beyond({{}, 1, 100}, {open, ended("b", 2)}, at_second(9), nothing), names{});
  EXPECT_EQ(beyond({1h, 0, 0}, {open, ended("b", 2)}, at_second(9) + 24h * 9999, nothing),
            names{"b"});
}

TEST(Retention, AtTheStartAClockThatWouldRemoveMuchIsNotTrusted) {
  std::vector<retained_run> all;
  for (int i = 0; i < 100; ++i) all.push_back(ended("r" + std::to_string(i), i));
  const retention day{24h, {}, {}};
  const auto ahead = at_second(0) + 90 * 24h;
  EXPECT_EQ(beyond(day, all, ahead, nothing, look::first), names{});
  EXPECT_EQ(beyond(day, all, ahead, nothing, look::later).size(), 100U);
  // What went over the night is no sign of a wrong clock.
  EXPECT_EQ(beyond(day, all, at_second(5) + 24h, nothing, look::first).size(), 4U);
}

TEST(Retention, SenderOfMuchDataLosesItsOwnRunsFirst) {
  std::vector<retained_run> all;
  for (int i = 0; i < 50; ++i) {
    all.push_back(ended("mine" + std::to_string(i), i));
    all.back().sender = "uid 1";
    all.back().stack = "net";
  }
  for (int i = 0; i < 500; ++i) {
    all.push_back(ended("flood" + std::to_string(i), 100 + i));
    all.back().sender = "uid 2";
    all.back().stack = "s" + std::to_string(i % 7);
  }
  for (const retention& limit : {retention{{}, 100, {}}, retention{{}, {}, 10'000}}) {
    const names gone = beyond(limit, all, at_second(10'000), nothing);
    EXPECT_EQ(gone.size(), 450U);
    for (const std::string& id : gone) EXPECT_TRUE(id.starts_with("flood")) << id;
  }
}

TEST(Retention, SenderOfManyStacksLosesItsOwnRunsFirst) {
  std::vector<retained_run> all;
  for (int i = 0; i < 50; ++i) {
    all.push_back(ended("mine" + std::to_string(i), i));
    all.back().sender = "uid 1";
    all.back().stack = "net";
  }
  for (int i = 0; i < 500; ++i) {
    all.push_back(ended("flood" + std::to_string(i), 100 + i));
    all.back().sender = "uid 2";
    all.back().stack = "s" + std::to_string(i);
    if (i % 2 == 0) all.back().over_at.reset();
  }
  const names gone = beyond({{}, 100, {}}, all, at_second(10'000), nothing);
  EXPECT_EQ(gone.size(), 200U);
  for (const std::string& id : gone) EXPECT_TRUE(id.starts_with("flood")) << id;
}

TEST(Retention, RunsInUseStay) {
  const auto wanted = [](const std::string& run) { return run == "a"; };
  EXPECT_EQ(beyond({{}, 1, {}}, {ended("a", 1), ended("b", 2)}, at_second(9), wanted), names{"b"});
}

TEST(Retention, RunsThatWaitForTheArchiveGoForBytesOnly) {
  std::vector<retained_run> runs{ended("a", 1), ended("b", 2), ended("c", 3)};
  for (auto& run : runs) run.disk_bytes = 10;
  runs[0].waits = true;
  const auto nobody = [](const std::string&) { return false; };
  EXPECT_EQ(beyond({{}, 1, {}}, runs, at_second(9), nobody), (names{"b", "c"}));
  EXPECT_EQ(beyond({1h, {}, {}}, runs, at_second(9) + 2h, nobody), (names{"b", "c"}));
  EXPECT_EQ(beyond({{}, {}, 10}, runs, at_second(9), nobody), (names{"a", "b"}));
  EXPECT_EQ(beyond({{}, 0, 0}, runs, at_second(9), nobody), (names{"a", "b", "c"}));
}

class RetainedRuns : public testing::Test {  // NOLINT(readability-identifier-naming): as above
 protected:
  void add(const std::string& id, int second) {
    auto header = some_run(id);
    header.created_at = at_second(second);
    EXPECT_EQ(store_.create(header), "");
    EXPECT_EQ(store_.append(id, "line\n").failure.text(), "");
    EXPECT_EQ(store_.put(listed(id)), "");
    EXPECT_EQ(store_.add_history(id, {created(second)}), "");
  }
  static history::operation created(int second) {
    return {"a.b", "a", "", "", "create", "apply", "done", 3.0, at_second(second)};
  }
  std::size_t durations() { return store_.remembered("a.b"); }

  scratch_root root_;
  opened_store store_{root_.path()};
};

TEST_F(RetainedRuns, AreGoneWithTheirRowsButTheirDurationsStay) {
  add("a", 1);
  add("b", 2);
  store_.complete("a");
  store_.complete("b");
  EXPECT_EQ(store_.retain({{}, 1, {}}, at_second(9)), names{"a"});
  EXPECT_FALSE(std::filesystem::exists(root_ / "runs/a"));
  EXPECT_EQ(store_.list({}).runs.size(), 1U);
  EXPECT_EQ(durations(), 2U);
  EXPECT_FALSE(store_.it->removed_by_person("a"));
  EXPECT_TRUE(store_.it->is_free("a"));
}

TEST_F(RetainedRuns, AreNoOlderThanWhoeverSawThemSays) {
  add("a", 1);
  store_.complete("a");
  const auto now = at_second(3) + 25h;
  EXPECT_EQ(store_.retain({24h, {}, {}}, now, "", now - 1h), names{});
  EXPECT_EQ(store_.retain({24h, {}, {}}, now, "", now - 25h), names{"a"});
}

TEST_F(RetainedRuns, UnacknowledgedRunsStayForADay) {
  add("a", 1);
  const auto came = at_second(2);
  EXPECT_EQ(store_.retain({1h, 0, 0}, came + limits::abandoned_after - 1s), names{});
  EXPECT_EQ(store_.stream("a"), "line\n");
  EXPECT_EQ(store_.retain({1h, 0, 0}, came + limits::abandoned_after), names{"a"});
  EXPECT_TRUE(store_.it->is_free("a"));  // whoever has its stream may send it again
}

TEST_F(RetainedRuns, RemovedByAPersonLeavesNothingBehindButItsName) {
  add("a", 1);
  const auto read = store_.it->reader("a");
  EXPECT_EQ(store_.remove("a"), "");
  EXPECT_FALSE(std::filesystem::exists(root_ / "runs/a"));
  EXPECT_TRUE(store_.list({}).runs.empty());
  EXPECT_EQ(durations(), 0U);
  EXPECT_TRUE(store_.it->removed_by_person("a"));
  EXPECT_TRUE(store_.it->removed_by_person("upload-of-a"));
  EXPECT_FALSE(store_.it->is_free("a"));
  EXPECT_EQ(store_.append("a", "more\n").failure.text(), "run a is not known");
  EXPECT_EQ(store_.put(listed("a")), "run a is not known");
  std::string room(100, ' ');
  EXPECT_EQ(read(0, room), 5U);  // whoever read it may read on
  EXPECT_FALSE(store_.it->reader("a"));
}

TEST_F(RetainedRuns, ARemovalSurvivesARestart) {
  add("a", 1);
  store_.remove("a");
  store_.it.reset();
  opened_store again{root_.path()};
  EXPECT_TRUE(again.it->removed_by_person("upload-of-a"));
  EXPECT_TRUE(again.found.empty());
}

TEST_F(RetainedRuns, ARemovalThatACrashInterruptedIsFinished) {
  add("a", 1);
  store_.it.reset();
  put_text(root_ / "removed.jsonl", "{\"run\":\"a\",\"upload_id\":\"u\",\"at\":\"\"}\n{\"run");
  opened_store again{root_.path()};
  EXPECT_TRUE(again.found.empty());
  EXPECT_FALSE(std::filesystem::exists(root_ / "runs/a"));
  EXPECT_TRUE(again.it->removed_by_person("u"));
  EXPECT_TRUE(again.list({}).runs.empty());
}

TEST_F(RetainedRuns, HistoryThatIsAddedAgainIsNotDoubled) {
  add("a", 1);
  // As many as one answer reads of an address.
  std::vector<history::operation> many(limits::history_of_action - 1, created(1));
  static_assert(limits::history_of_action - 1 > limits::history_piece);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(store_.add_history("a", many), "");
    EXPECT_EQ(durations(), many.size());
  }
  EXPECT_EQ(store_.add_history("a", {}), "");
  EXPECT_EQ(durations(), 0U);
}

TEST_F(RetainedRuns, TheOldestDurationsBeyondTheLimitAreRemoved) {
  for (int i = 0; i < 5; ++i) add("run" + std::to_string(i), i);
  EXPECT_EQ(store_.retain({.age = {}, .runs = {}, .bytes = {}, .operations = 3}, at_second(9)),
            names{});
  EXPECT_EQ(durations(), 3U);
  EXPECT_EQ(store_.retain({{}, {}, {}}, at_second(9)), names{});
  EXPECT_EQ(durations(), 3U);
}

TEST_F(RetainedRuns, ReindexKeepsTheDurationsOfRunsThatAreGone) {
  add("a", 1);
  add("b", 2);
  store_.complete("a");
  store_.remove("a", removed_by::retention);
  EXPECT_EQ(store_.reindex(), "");
  EXPECT_TRUE(store_.list({}).runs.empty());
  EXPECT_EQ(durations(), 1U);
}

}  // namespace
}  // namespace tofud::journal
