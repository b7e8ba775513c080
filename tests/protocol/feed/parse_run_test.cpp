#include "protocol/feed/parse_run.hpp"

#include "protocol/feed/encode.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace tofud;
using namespace tofud::feed;

namespace {

run_view full() {
  run_view run;
  run.id = "20261121T0312-7f3a";
  run.command = run_command::destroy;
  run.status = run_status::interrupted;
  run.phase = run_phase::approval;
  run.tofu = "1.12.6";
  run.terraform = "1.5.7";
  run.ui = "1.2";
  run.labels = {{"pr", "12"}, {"branch", "m\"ain"}};
  for (std::size_t i = 0; i < resource_statuses; ++i) run.counts[i] = i + 1;
  run.progress_done = 3, run.progress_total = 7;
  run.planned = change_counts{1, 2, 3, 4, 5};
  run.applied = change_counts{5, 4, 3, 2, 1};
  run.errors = 2, run.warnings = 1;
  run.started_at = ui::parse_timestamp("2026-11-21T03:12:05.120331Z");
  run.ended_at = ui::parse_timestamp("2026-11-21T03:14:36.0012Z");
  run.last_line_at = ui::parse_timestamp("2026-11-21T03:14:36Z");
  run.exit_status = 130;
  run.messages = 1, run.text = 2, run.log = 3, run.unmatched = 4, run.malformed = 5;
  run.stack = "github.com/acme/infra//net@prod";
  run.tests = test_counts{1, 2, 3, 4};
  run.interleaved = true;
  run.contact = run_contact::none;
  run.clock_offset = std::chrono::microseconds{-1'234'567};
  return run;
}

std::string encoded(const run_view& run) {
  std::string text;
  encode(text, run, 0);
  return text;
}

}  // namespace

TEST(ParseRun, ReadsAllThatIsWritten) {
  EXPECT_EQ(encoded(*parse_run(encoded(full()))), encoded(full()));
}

TEST(ParseRun, ReadsARunOfWhichNothingIsKnown) {
  run_view empty;
  empty.id = "20261121T0312-7f3a";
  EXPECT_EQ(encoded(*parse_run(encoded(empty))), encoded(empty));
}

TEST(ParseRun, ReadsTheRunsOfTheExample) {
  std::ifstream file{FEED_EXAMPLE};
  std::size_t runs = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.find(R"("kind": "run")") == std::string::npos) continue;
    ++runs;
    const auto run = parse_run(line);
    ASSERT_TRUE(run) << line;
    EXPECT_EQ(encoded(*parse_run(encoded(*run))), encoded(*run));
  }
  EXPECT_GE(runs, 3);
}

TEST(ParseRun, WhatIsNotKnownHereIsPassedOver) {
  const auto run = parse_run(
      R"({"kind":"run","key":"r","status":"paused","new":{"a":[1]},"counts":{"done":-1,"odd":3},)"
      R"("clock_offset_s":1e300,"exit_status":"x","labels":{"n":1},"contact":null})");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->id, "r");
  EXPECT_EQ(run->status, run_status::running);
  EXPECT_EQ(run->clock_offset, std::nullopt);
  EXPECT_EQ(run->exit_status, std::nullopt);
  EXPECT_TRUE(run->labels.empty());
}

TEST(ParseRun, OtherTextIsRefused) {
  EXPECT_FALSE(parse_run(""));
  EXPECT_FALSE(parse_run("[]"));
  EXPECT_FALSE(parse_run("{}"));
  EXPECT_FALSE(parse_run(R"({"kind":"resource","key":"r"})"));
}
