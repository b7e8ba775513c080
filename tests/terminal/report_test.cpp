#include "daemon/terminal/report.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace tofud::terminal {
namespace {

using feed::diagnostic_row;
using feed::resource_row;
using feed::resource_status;

using texts = std::vector<std::string>;

ui::time_point second(int count) { return ui::time_point{std::chrono::seconds{count}}; }

resource_row resource(std::string_view addr, resource_status status, int took = 0) {
  resource_row row;
  row.addr = addr;
  row.status = status;
  if (took > 0) {
    feed::step step;
    step.phase = feed::run_phase::apply;
    step.action = feed::step_action::create;
    step.status = feed::step_status::done;
    step.started_at = second(100);
    step.ended_at = second(100 + took);
    row.steps.push_back(step);
  }
  return row;
}

diagnostic_row diagnostic(std::string severity, std::string summary, std::string address = "") {
  diagnostic_row row;
  row.severity = std::move(severity);
  row.summary = std::move(summary);
  row.address = std::move(address);
  return row;
}

// The rows of a run, and the report of it.
struct small_run {
  feed::run_view view;
  std::vector<resource_row> resources;
  std::vector<diagnostic_row> diagnostics;
  std::vector<std::string_view> outputs;
  std::deque<std::string> addresses;

  std::string_view address(int i) { return addresses.emplace_back("t.n" + std::to_string(i)); }

  texts lines() const {
    finished_run run{view, {}, {}, outputs};
    for (const resource_row& row : resources) run.resources.push_back(&row);
    for (const diagnostic_row& row : diagnostics) run.diagnostics.push_back(&row);
    return report(run);
  }
};

small_run failed_apply() {
  small_run run;
  run.view.command = feed::run_command::apply;
  run.view.status = feed::run_status::failed;
  run.view.started_at = second(0);
  run.view.ended_at = second(151);
  run.view.counts[static_cast<std::size_t>(resource_status::done)] = 2;
  run.view.counts[static_cast<std::size_t>(resource_status::failed)] = 1;
  return run;
}

// Real apply of a configuration with a data source: OpenTofu says "Resources: 2 added".
TEST(Report, WhatWasOnlyReadIsCountedApart) {
  small_run run;
  run.view.command = feed::run_command::apply;
  run.view.status = feed::run_status::succeeded;
  run.resources = {resource("t.a", resource_status::done), resource("t.b", resource_status::done),
                   resource("data.t.c", resource_status::done)};
  run.resources[2].names =
      feed::resource_names::of(run.resources[2].addr, {"", "data", "t", "c", "null", ""});
  run.view.counts[static_cast<std::size_t>(resource_status::done)] = 3;
  EXPECT_EQ(run.lines().front(), "apply succeeded: 2 done, 1 read");
}

TEST(Report, ALostRunHasNoDuration) {
  small_run run;
  run.view.command = feed::run_command::apply;
  run.view.started_at = second(100);
  run.view.ended_at = second(100);
  run.view.status = feed::run_status::lost;
  EXPECT_EQ(run.lines().front(), "apply lost");
  run.view.status = feed::run_status::failed;
  EXPECT_EQ(run.lines().front(), "apply failed after 0ms");
}

TEST(Report, AFailedResourceHasItsOwner) {
  small_run run = failed_apply();
  run.resources.push_back(resource("t.b", resource_status::failed));
  run.resources.back().source = feed::block_source{"main.tf", 1, {"@db\x1b[2J", "https://w", {}}};
  run.diagnostics.push_back(diagnostic("error", "Quota", "t.b"));
  run.resources.back().diagnostics.push_back(1);
  const texts lines = run.lines();
  ASSERT_GE(lines.size(), 3U);
  EXPECT_EQ(lines[2], "  t.b: Quota · owner @db · runbook https://w");
}

TEST(Report, FailedApplyNamesFailuresReasonsAndSlowSteps) {
  small_run run = failed_apply();
  run.resources = {resource("t.fast", resource_status::done, 2),
                   resource("t.slow", resource_status::done, 90),
                   resource("t.broken", resource_status::failed, 5),
                   resource("t.hung", resource_status::interrupted)};
  run.resources[2].diagnostics = {1, 2};
  run.diagnostics = {diagnostic("warning", "deprecated", "t.broken"),
                     diagnostic("error", "no such subnet\nsecond line", "t.broken"),
                     diagnostic("error", "backend is gone")};
  run.outputs = {"url", "password"};
  EXPECT_EQ(run.lines(), (texts{"apply failed after 2m31s: 2 done, 1 failed", "failed:",
                                "  t.broken: no such subnet", "errors:", "  backend is gone",
                                "never finished:", "  t.hung", "slowest:", "  1m30s  create t.slow",
                                "  5.0s  create t.broken", "  2.0s  create t.fast"}));
}

TEST(Report, OutputsAreThoseOfARunThatSucceededAndDestroyedNothing) {
  small_run run;
  run.outputs = {"url", "password"};
  for (const auto& [command, status, has] :
       {std::tuple{feed::run_command::apply, feed::run_status::succeeded, true},
        std::tuple{feed::run_command::plan, feed::run_status::succeeded, true},
        std::tuple{feed::run_command::apply, feed::run_status::failed, false},
        std::tuple{feed::run_command::destroy, feed::run_status::succeeded, false}}) {
    run.view.command = command;
    run.view.status = status;
    const texts lines = run.lines();
    EXPECT_EQ(std::count(lines.begin(), lines.end(), "outputs: url, password"), has ? 1 : 0);
  }
}

TEST(Report, EmptyRunIsOnlyAHeadline) {
  small_run run;
  run.view.status = feed::run_status::succeeded;
  EXPECT_EQ(run.lines(), texts{"other succeeded"});
}

TEST(Report, TestRunCountsTests) {
  small_run run;
  run.view.command = feed::run_command::test;
  run.view.status = feed::run_status::failed;
  run.view.tests = feed::test_counts{3, 1, 0, 2};
  EXPECT_EQ(run.lines(), texts{"test failed: 3 passed, 1 failed, 0 errored, 2 skipped"});
}

TEST(Report, FirstErrorOfAResourceCountsBeforeItsWarnings) {
  small_run run = failed_apply();
  run.resources = {resource("t.a", resource_status::failed),
                   resource("t.b", resource_status::failed),
                   resource("t.c", resource_status::failed)};
  run.resources[0].diagnostics = {1, 2, 3};
  run.resources[1].diagnostics = {1};
  run.resources[2].diagnostics = {0, 9};  // of no diagnostic there is
  run.diagnostics = {diagnostic("warning", "w", "t.a"), diagnostic("error", "first", "t.a"),
                     diagnostic("error", "second", "t.a")};
  const texts lines = run.lines();
  EXPECT_EQ(texts(lines.begin() + 1, lines.begin() + 5),
            (texts{"failed:", "  t.a: first", "  t.b: w", "  t.c"}));
}

TEST(Report, LongListsAreCutWithACount) {
  small_run run = failed_apply();
  for (int i = 0; i < 25; ++i)
    run.resources.push_back(resource(run.address(i), resource_status::failed));
  for (int i = 0; i < 21; ++i) run.diagnostics.push_back(diagnostic("error", "e"));
  const texts lines = run.lines();
  ASSERT_EQ(lines.size(), 1U + 22 + 22);
  EXPECT_EQ(lines[22], "  and 5 more");
  EXPECT_EQ(lines[44], "  and 1 more");
}

TEST(Report, OnlyTheSlowestFiveStepsOfTheApplyPhaseAreNamed) {
  small_run run = failed_apply();
  for (int i = 1; i <= 7; ++i)
    run.resources.push_back(resource(run.address(i), resource_status::done, 10 * i));
  run.resources[6].steps[0].phase = feed::run_phase::plan;
  run.resources[5].steps[0].ended_at.reset();
  const texts lines = run.lines();
  EXPECT_EQ(lines, (texts{lines[0], "slowest:", "  50s  create t.n5", "  40s  create t.n4",
                          "  30s  create t.n3", "  20s  create t.n2", "  10s  create t.n1"}));
}

TEST(Report, TextFromOutsideIsCleanedAndStaysOnItsLine) {
  small_run run = failed_apply();
  run.resources = {resource("t.n[\"\x1b[2J\nx\"]", resource_status::failed, 1)};
  run.resources[0].diagnostics = {1};
  run.diagnostics = {diagnostic("error",
                                "\x1b]0;pwned\a"
                                "bad",
                                "t.n"),
                     diagnostic("error", "\x1b[31mred\x1b[0m")};
  for (const std::string& line : run.lines()) {
    EXPECT_EQ(line.find_first_of("\x1b\a\n\r"), std::string::npos) << line;
  }
  EXPECT_EQ(run.lines()[2], "  t.n[\" x\"]: bad");
}

TEST(Report, SaysWhatAFailureStrandsAndWhatWasSkippedIsBehind) {
  small_run run = failed_apply();
  run.view.counts[static_cast<std::size_t>(resource_status::skipped)] = 12;
  run.resources = {resource("t.small", resource_status::failed),
                   resource("t.db", resource_status::failed),
                   resource("t.old", resource_status::interrupted)};
  const feed::named_operations behind{{"t.db", "t.small"}, 0};
  const feed::causes small{nullptr, nullptr, 1}, large{nullptr, nullptr, 9},
      old{nullptr, &behind, {}};
  run.resources[0].causes = &small;
  run.resources[1].causes = &large;
  run.resources[2].causes = &old;
  run.view.failures.worst = feed::run_view::stranding{"t.db", 9};
  EXPECT_EQ(run.lines(),
            (texts{"apply failed after 2m31s: 2 done, 1 failed, 12 skipped, 9 behind t.db",
                   "failed:", "  t.small · 1 behind it", "  t.db · 9 behind it",
                   "never finished:", "  t.old · behind t.db and t.small"}));
}

}  // namespace
}  // namespace tofud::terminal
