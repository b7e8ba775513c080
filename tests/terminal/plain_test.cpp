#include "daemon/terminal/plain.hpp"

#include "daemon/terminal/cells.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace tofud::terminal {
namespace {

using namespace std::chrono_literals;
using feed::run_phase;
using feed::step_action;
using feed::step_status;
using texts = std::vector<std::string>;

// 03:12:00 and so many seconds, of a day in UTC.
ui::time_point second(int count) {
  return ui::parse_timestamp("2026-11-21T03:12:00Z").value() + std::chrono::seconds{count};
}

// What is told fits so many cells.
plain_manner fitting(std::size_t width) {
  plain_manner manner;
  manner.width = [width] { return width; };
  return manner;
}

// A run that is told to a plain_progress, and what it said.
class PlainProgress : public testing::Test {
 protected:
  PlainProgress() {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    run.last_line_at = second(59);
  }
  void changed(feed::row_number number = 0) { progress.resource_changed(now, number, resource); }
  feed::step& open(step_action action, int at, run_phase phase = run_phase::apply) {
    feed::step step;
    step.number = static_cast<std::uint32_t>(resource.steps.size() + 1);
    step.phase = phase;
    step.action = action;
    step.started_at = second(at);
    resource.steps.push_back(step);
    return resource.steps.back();
  }
  void close(step_status status, int at) {
    resource.steps.back().status = status;
    resource.steps.back().ended_at = second(at);
  }

  texts said;
  feed::run_view run;
  feed::resource_row resource = [] {
    feed::resource_row row;
    row.addr = "t.n";
    return row;
  }();
  plain_progress progress{[this](std::string_view line) { said.emplace_back(line); }};
  run_now now = [this] { return run; };
};

TEST_F(PlainProgress, AnIdIsCutInTheMiddleSoThatTheLineFits) {
  plain_progress narrow{[this](std::string_view line) { said.emplace_back(line); }, fitting(60)};
  open(step_action::create, 1);
  close(step_status::done, 2);
  resource.steps.back().id_key = "id";
  resource.steps.back().id_value = "projects/network-prod/regions/europe-west1/subnets/db";
  narrow.resource_changed(now, 0, resource);
  changed();
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(cells(said.front()), 60U) << said.front();
  EXPECT_EQ(said.front().substr(said.front().find('[')), "[id=projects/n…ubnets/db]");
  EXPECT_NE(said.back().find("europe-west1"), std::string::npos);
}

TEST_F(PlainProgress, WhereNoIdFitsItIsCutInTheMiddle) {
  plain_progress narrow{[this](std::string_view line) { said.emplace_back(line); }, fitting(20)};
  open(step_action::create, 1);
  close(step_status::done, 2);
  resource.steps.back().id_key = "id";
  resource.steps.back().id_value = "subnet-0123456789abcdef";
  narrow.resource_changed(now, 0, resource);
  EXPECT_TRUE(said.back().ends_with("[id=subnet…bcdef]")) << said.back();
}

TEST_F(PlainProgress, AReplaceIsShownStepByStep) {
  run.progress.total = 41;
  run.progress.done = 8;
  open(step_action::remove, 1);
  changed();
  close(step_status::done, 12);
  changed();
  open(step_action::create, 12);
  changed();
  close(step_status::done, 12 + 131);
  resource.steps.back().id_key = "id";
  resource.steps.back().id_value = "i-1";
  run.progress.done = 9;
  changed();
  EXPECT_EQ(said, (texts{"03:12:01 [ 8/41] - t.n: destroying",
                         "03:12:12 [ 8/41] - t.n: destroyed after 11s",
                         "03:12:12 [ 8/41] + t.n: creating",
                         "03:14:23 [ 9/41] + t.n: created after 2m11s [id=i-1]"}));
}

TEST_F(PlainProgress, NothingIsPrintedTwice) {
  open(step_action::create, 1);
  changed();
  changed();
  close(step_status::done, 2);
  changed();
  changed();
  EXPECT_EQ(said.size(), 2U);
}

TEST_F(PlainProgress, EveryActionHasItsSignAndWords) {
  open(step_action::update, 1);
  close(step_status::done, 2);
  open(step_action::read, 3);
  close(step_status::done, 4);
  changed();
  EXPECT_EQ(said,
            (texts{"03:12:02 ~ t.n: modified after 1.0s", "03:12:04 <= t.n: read after 1.0s"}));
}

TEST_F(PlainProgress, RefreshesAndReadsOfThePlanAreSilentUnlessTheyFail) {
  open(step_action::refresh, 1, run_phase::plan);
  changed();
  close(step_status::done, 2);
  changed();
  open(step_action::read, 2, run_phase::plan);
  changed();
  EXPECT_EQ(said, texts{});
  close(step_status::failed, 3);
  changed();
  EXPECT_EQ(said, texts{"03:12:03 <= t.n: read FAILED after 1.0s"});
}

TEST_F(PlainProgress, StepsOfEphemeralResourcesAreSilent) {
  for (const step_action action : {step_action::open, step_action::renew, step_action::close}) {
    open(action, 1);
    close(step_status::done, 2);
    changed();
  }
  EXPECT_EQ(said, texts{});
}

TEST_F(PlainProgress, AFailedStepNamesItsOwner) {
  resource.source = feed::block_source{"main.tf", 1, {"@db", "https://w", std::chrono::seconds{9}}};
  open(step_action::create, 1);
  changed();
  close(step_status::failed, 6);
  changed();
  EXPECT_EQ(said[0], "03:12:01 + t.n: creating");
  EXPECT_EQ(said[1], "03:12:06 + t.n: create FAILED after 5.0s · owner @db · runbook https://w");
}

TEST_F(PlainProgress, FailedAndUnfinishedStepsAreMarked) {
  open(step_action::create, 1);
  changed();
  close(step_status::failed, 6);
  changed();
  open(step_action::remove, 7);
  changed();
  resource.steps.back().status = step_status::interrupted;
  changed();
  EXPECT_EQ(said[1], "03:12:06 + t.n: create FAILED after 5.0s");
  EXPECT_EQ(said[3], "03:12:59 - t.n: destroy never finished");
}

TEST_F(PlainProgress, AStepWithoutTimesIsPrinted) {
  open(step_action::create, 1);
  resource.steps[0].started_at.reset();
  changed();
  EXPECT_EQ(said, texts{"--:--:-- + t.n: creating"});
}

TEST_F(PlainProgress, ErrorIsDrawnAtOnceAsOpenTofuDrawsIt) {
  feed::diagnostic_row row;
  row.severity = "error";
  row.summary = "Invalid index";
  row.detail = "First.\nSecond.";
  row.address = "t.n";
  row.range = feed::source_range{"main.tf", {4, 1, 0}, {4, 9, 8}};
  row.snippet = feed::source_snippet{
      "resource \"t\" \"n\"", "  a = b\n  c = d", 4, 0, 0, {{"var.a", "is 5"}}, ""};
  row.at = second(1);
  progress.diagnostic(now, row);
  EXPECT_EQ(said, (texts{"╷", "│ Error: Invalid index", "│", "│   with t.n,",
                         "│   on main.tf line 4, in resource \"t\" \"n\":", "│    4:   a = b",
                         "│    5:   c = d", "│     ├────────────────", "│     │ var.a is 5", "│",
                         "│ First.", "│ Second.", "╵"}));
}

TEST_F(PlainProgress, AWarningOfAKindIsPrintedInFullOnce) {
  feed::diagnostic_row row;
  row.severity = "warning";
  row.summary = "Deprecated";
  row.detail = "Long story.";
  row.range = feed::source_range{"main.tf", {4, 1, 0}, {4, 9, 8}};
  progress.diagnostic(now, row);
  progress.diagnostic(now, row);
  EXPECT_EQ(said, (texts{"╷", "│ Warning: Deprecated", "│",
                         "│   on main.tf line 4:", "│   (source code not available)", "│",
                         "│ Long story.", "╵", "--:--:-- Warning: Deprecated, on main.tf line 4"}));
  row.severity = "error";
  said.clear();
  progress.diagnostic(now, row);
  progress.diagnostic(now, row);
  EXPECT_EQ(said.size(), 16U);
}

TEST_F(PlainProgress, MissingApprovalComesWithTheWaysOut) {
  feed::diagnostic_row row;
  row.severity = "error";
  row.summary = "Plan file or auto-approve required";
  progress.diagnostic(now, row);
  EXPECT_EQ(said[3], "╵");
  EXPECT_TRUE(said.at(4).starts_with("tofud: "));
}

TEST_F(PlainProgress, MessagesStandOnOneLineWithoutMargins) {
  progress.message(now, {1, "info", "log", "\nInterrupt received.\nPlease wait.\n\n", second(2)});
  progress.message(now, {2, "info", "log", " \n\x1b[0m ", second(2)});
  EXPECT_EQ(said, texts{"03:12:02 Interrupt received. Please wait."});
}

TEST_F(PlainProgress, TestsArePrintedWithTheirResultAndNotBefore) {
  run.last_line_at = second(2);
  progress.test(now, "tests/a.tftest.hcl", "pending");
  progress.test(now, "tests/a.tftest.hcl", "running");
  progress.test(now, "tests/a.tftest.hcl", "fail");
  progress.test(now, "  run \"a\x1b[2J\nb\"", "error");
  EXPECT_EQ(said, (texts{"03:12:02 tests/a.tftest.hcl: fail", "03:12:02   run \"a b\": error"}));
}

TEST_F(PlainProgress, SummaryIsOfTheApplyElseOfThePlan) {
  progress.summary(run);
  run.planned = feed::change_counts{3, 2, 0, 1, 0};
  progress.summary(run);
  run.planned = feed::change_counts{3, 2, 4, 1, 5};
  progress.summary(run);
  run.applied = feed::change_counts{3, 0, 4, 1, 5};
  progress.summary(run);
  EXPECT_EQ(said,
            (texts{"03:12:59 Plan: 3 to add, 2 to change, 1 to destroy",
                   "03:12:59 Plan: 4 import, 3 to add, 2 to change, 1 to destroy, 5 to forget",
                   "03:12:59 Applied: 4 imported, 3 added, 0 changed, 1 destroyed, 5 forgotten"}));
}

TEST_F(PlainProgress, StillRunningNamesTheOldestThree) {
  EXPECT_EQ(progress.still_running(run, 0s), "");
  for (int i = 0; i < 5; ++i) {
    const std::string addr = "t.n" + std::to_string(i);
    resource.addr = addr;
    resource.steps.clear();
    open(step_action::create, 50 - 10 * i);
    changed(static_cast<feed::row_number>(i));
  }
  EXPECT_EQ(progress.still_running(run, 1s),
            "03:13:00 still running 5: t.n4 creating 50s, t.n3 creating 40s, t.n2 creating 30s, "
            "and 2 more");
}

TEST_F(PlainProgress, StillRunningSaysWhatTheOthersWaitFor) {
  resource.addr = "t.db";
  open(step_action::create, 10);
  changed(0);
  const feed::named_operations database{{"t.db"}, 0};
  const feed::causes why{&database, nullptr, {}};
  resource.steps.clear();
  resource.causes = &why;
  changed(1);
  changed(2);
  EXPECT_EQ(progress.still_running(run, 1s),
            "03:13:00 still running 1: t.db creating 50s; 2 wait for t.db");
}

TEST_F(PlainProgress, AnEndedStepIsNotListedAsRunning) {
  open(step_action::create, 1);
  changed();
  close(step_status::done, 2);
  changed();
  EXPECT_EQ(progress.still_running(run, 0s), "");
}

TEST_F(PlainProgress, RefreshesAndPlansAreCountedOnceEach) {
  EXPECT_EQ(progress.count(run, 0s), "");
  for (int i = 0; i < 820; ++i) {
    resource.steps.clear();
    open(step_action::refresh, 1, run_phase::plan);
    changed(static_cast<feed::row_number>(i));
    close(step_status::done, 2);
    changed(static_cast<feed::row_number>(i));
  }
  EXPECT_EQ(progress.count(run, 1s), "03:13:00 refreshed 820 so far");
  EXPECT_EQ(progress.count(run, 2s), "");
  resource.plan.push_back({"create"});
  changed(0);
  changed(0);
  EXPECT_EQ(progress.count(run, 11s), "03:13:10 refreshed 820, planned 1 so far");
  resource.steps.clear();
  changed(820);
  run.planned = feed::change_counts{};
  EXPECT_EQ(progress.count(run, 21s), "");
  EXPECT_EQ(said, texts{});
}

TEST_F(PlainProgress, TerminalMarksEndsAndLeavesStartsToTheBlock) {
  plain_progress terse{[this](std::string_view line) { said.emplace_back(line); },
                       {style{true, charset::utf8}, true, false, 20}};
  open(step_action::create, 1);
  terse.resource_changed(now, 0, resource);
  close(step_status::done, 2);
  terse.resource_changed(now, 0, resource);
  open(step_action::update, 3);
  close(step_status::failed, 4);
  terse.resource_changed(now, 0, resource);
  EXPECT_EQ(said, (texts{"\x1b[2m03:12:02\x1b[0m \x1b[32m✓ \x1b[0m+ t.n: created after 1.0s",
                         "\x1b[2m03:12:04\x1b[0m \x1b[31m✗ \x1b[0m~ t.n: update"
                         "\x1b[31m FAILED\x1b[0m after 1.0s"}));
}

TEST_F(PlainProgress, FloodOfEndsIsCountedByTheStreamsOwnSeconds) {
  plain_progress terse{[this](std::string_view line) { said.emplace_back(line); },
                       {style{}, false, false, 2}};
  feed::row_number row = 0;
  const auto end = [&](step_status status, int at) {
    resource.steps.clear();
    open(step_action::create, at);
    close(status, at);
    terse.resource_changed(now, row++, resource);
  };
  for (int i = 0; i < 100; ++i) end(step_status::done, 5);
  EXPECT_EQ(said.size(), 2U);
  end(step_status::failed, 5);
  end(step_status::done, 5);
  end(step_status::done, 6);
  for (int i = 0; i < 3; ++i) end(step_status::done, 6);
  terse.end(now);
  terse.end(now);
  EXPECT_EQ(said,
            (texts{"03:12:05 + t.n: created after 0ms", "03:12:05 + t.n: created after 0ms",
                   "03:12:05 … and 98 more finished", "03:12:05 + t.n: create FAILED after 0ms",
                   "03:12:05 … and 1 more finished", "03:12:06 + t.n: created after 0ms",
                   "03:12:06 + t.n: created after 0ms", "03:12:06 … and 2 more finished"}));
}

TEST_F(PlainProgress, TextFromOutsideIsCleanedAndStaysOnItsLine) {
  const std::string hostile = "\x1b]0;pwned\a\x1b[2Ja\nb\r";
  resource.addr = hostile;
  open(step_action::create, 1);
  changed();
  const std::string waiting = progress.still_running(run, 0s);
  close(step_status::done, 2);
  resource.steps[0].id_key = resource.steps[0].id_value = hostile;
  changed();
  feed::diagnostic_row row;
  row.severity = "error";
  row.summary = row.detail = row.address = hostile;
  row.range = feed::source_range{hostile, {}, {}};
  row.snippet = feed::source_snippet{hostile, hostile, 1, 0, 0, {{hostile, hostile}}, ""};
  progress.diagnostic(now, row);
  progress.message(now, {1, hostile, hostile, hostile, {}});
  said.push_back(waiting);
  for (const std::string& line : said) {
    EXPECT_EQ(line.find_first_of("\x1b\a\n\r"), std::string::npos) << line;
    EXPECT_EQ(line.find("pwned"), std::string::npos) << line;
  }
  EXPECT_EQ(said[0], "03:12:01 + a b: creating");
}

}  // namespace
}  // namespace tofud::terminal
