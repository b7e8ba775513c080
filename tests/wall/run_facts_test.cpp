// What of a recorded stream becomes facts.
#include "daemon/wall/run_facts.hpp"

#include "daemon/correlator/row_sink.hpp"
#include "daemon/correlator/stream_fold.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

using namespace tofud;
using namespace tofud::wall;

namespace {

class nobody : public correlator::row_sink {};

run_facts facts_of(const std::string& recording) {
  nobody watches;
  correlator::stream_fold fold{{}, watches};
  std::ifstream file{std::string{TEST_RECORDINGS} + "/" + recording + "/stream.jsonl"};
  fold.feed(std::string{std::istreambuf_iterator<char>{file}, {}});
  fold.end();
  const correlator::run_state& run = fold.runs().back();
  run_facts facts;
  take(facts, run.view());
  for (std::size_t i = 0; i < run.diagnostics(); ++i) take(facts, run.diagnostic_at(i));
  facts.apply_ran = run.apply_ran();
  return facts;
}

}  // namespace

TEST(RunFacts, RecordedPlanWithChangesHasSome) {
  const run_facts facts = facts_of("plan-create-mixed");
  EXPECT_EQ(facts.command, feed::run_command::plan);
  EXPECT_EQ(facts.has_changes, true);
  EXPECT_FALSE(facts.apply_ran);
  EXPECT_TRUE(facts.started_at && facts.ended_at && facts.last_line_at);
}

TEST(RunFacts, RecordedPlanWithoutChangesHasNone) {
  EXPECT_EQ(facts_of("plan-noop").has_changes, false);
}

TEST(RunFacts, RecordedApplyReachedItsPhase) {
  EXPECT_TRUE(facts_of("apply-create-mixed").apply_ran);
}

TEST(RunFacts, RecordedLockErrorSaysWhoHasTheLock) {
  const run_facts facts = facts_of("state-lock-contention");
  ASSERT_TRUE(facts.locked_out);
  EXPECT_EQ(facts.locked_out->lock.who, "root@vm");
  EXPECT_EQ(facts.locked_out->at, ui::parse_timestamp("2026-11-21T05:17:53.076729Z"));
  EXPECT_FALSE(facts.apply_ran);
}

TEST(RunFacts, OutputThatWouldChangeIsAChangeThatTheCountsLeaveOut) {
  run_facts facts;
  feed::run_view view;
  view.planned = feed::change_counts{};
  take(facts, view);
  EXPECT_EQ(facts.has_changes, false);
  feed::output_row output;
  output.action = "noop";
  take(facts, output);
  EXPECT_EQ(facts.has_changes, false);
  output.action = "update";
  take(facts, output);
  EXPECT_EQ(facts.has_changes, true);
  take(facts, view);
  EXPECT_EQ(facts.has_changes, true);
}

TEST(RunFacts, StalePlanIsToldByItsSummary) {
  run_facts facts;
  feed::diagnostic_row diagnostic;
  diagnostic.severity = "error";
  diagnostic.summary = "Saved plan is stale";
  EXPECT_TRUE(take(facts, diagnostic));
  EXPECT_TRUE(facts.plan_was_stale);
  diagnostic.summary = "Unsupported attribute";
  EXPECT_FALSE(take(facts, diagnostic));
}
