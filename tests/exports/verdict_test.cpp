#include "daemon/exports/verdict.hpp"

#include "daemon/exports/limits.hpp"
#include "tests/exports/rows.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tofud::exports {
namespace {

using feed::resource_status;
using test::hostile;
using test::small_run;

TEST(Verdict, OfASuccessHasNothingToDo) {
  small_run run;
  run.rows().run.stack = "net/prod";
  run.rows().run.progress = {2, 2};
  run.rows().run.applied = feed::change_counts{2, 0, 0, 0, 0};
  const verdict of = verdict_of(run.rows());
  EXPECT_EQ(to_text(of), "apply succeeded: net/prod · +2 ~0 -0 · 10s · run 20261121T0312-7f3a\n");
  EXPECT_EQ(
      to_json(of),
      R"({"run":"20261121T0312-7f3a","stack":"net/prod","command":"apply",)"
      R"("status":"succeeded","done":2,"total":2,"applied":{"add":2,"change":0,"remove":0,"import":0,"forget":0},)"
      R"("errors":0,"warnings":0,"took_ms":10000,"failures":[],"interrupted":[],"stranded":{"count":0,"some":[]},)"
      R"("next":[]})"
      "\n");
}

TEST(Verdict, OfAFailureSaysWhyWhereWhatIsStrandedAndWhatToDo) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  run.rows().run.diagnostics.errors = 1;
  run.rows().run.progress = {1, 4};
  auto& bad = run.resource("aws_vpc.main", resource_status::failed);
  small_run::annotate(bad, {"@net", "https://wiki/vpc", {}});
  auto& why = run.diagnostic("error", "quota", &bad);
  why.range = feed::source_range{"main.tf", {12, 1, 0}, {12, 5, 4}};
  run.diagnostic("warning", "old", &bad);
  feed::named_operations behind{{"aws_vpc.main"}, 0};
  const feed::causes because{nullptr, &behind, std::nullopt};
  for (int i = 0; i < 7; ++i)
    run.resource("aws_subnet.a", resource_status::skipped).causes = &because;
  run.rows().run.failures.worst = {"aws_vpc.main", 7};
  const verdict of = verdict_of(run.rows());
  EXPECT_EQ(to_text(of),
            "apply failed · 1 of 4 done · 10s · run 20261121T0312-7f3a\n"
            "failed: aws_vpc.main: quota (main.tf:12), owner @net\n"
            "never began: 7, most behind aws_vpc.main\n"
            "next: Read the runbook of aws_vpc.main: https://wiki/vpc\n"
            "next: Mend aws_vpc.main first: most of what never began is behind it.\n"
            "next: Mend what failed, then apply again.\n");
  const auto json = boost::json::parse(to_json(of)).as_object();
  EXPECT_EQ(boost::json::serialize(json.at("failures")),
            R"([{"address":"aws_vpc.main","summary":"quota","file":"main.tf","line":12,)"
            R"("owner":"@net","runbook":"https://wiki/vpc"}])");
  EXPECT_EQ(json.at("stranded").at("count"), 7);
  EXPECT_EQ(json.at("stranded").at("some").as_array().size(), limits::verdict_items);
}

TEST(Verdict, AfterAnInterruptionComesRecover) {
  small_run run;
  run.rows().run.status = feed::run_status::interrupted;
  run.resource("a.b", resource_status::interrupted);
  const verdict of = verdict_of(run.rows());
  ASSERT_EQ(of.next.size(), 1U);
  EXPECT_TRUE(of.next[0].ends_with("tofud recover 20261121T0312-7f3a")) << of.next[0];
  run.rows().run.command = feed::run_command::plan;
  EXPECT_TRUE(verdict_of(run.rows()).next.empty());
}

TEST(Verdict, AStateThatWasNotSavedIsRecoveredFirst) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  run.diagnostic("error", "Failed to persist state to backend");
  const verdict of = verdict_of(run.rows());
  ASSERT_EQ(of.next.size(), 1U);
  EXPECT_TRUE(of.next[0].ends_with("tofud recover 20261121T0312-7f3a")) << of.next[0];
}

TEST(Verdict, OfALockSaysToWait) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  run.diagnostic("error", "Error acquiring the state lock");
  const verdict of = verdict_of(run.rows());
  ASSERT_EQ(of.next.size(), 1U);
  EXPECT_TRUE(of.next[0].starts_with("Wait until the run that holds the lock")) << of.next[0];
}

TEST(Verdict, OfARunThatGoesOnSaysHowToFollowIt) {
  small_run run;
  run.rows().run.status = feed::run_status::running;
  run.rows().run.phase = feed::run_phase::approval;
  run.rows().run.labels = {{"url", "https://ci/7"}};
  EXPECT_EQ(verdict_of(run.rows()).next,
            std::vector<std::string>{"It waits for an approval: https://ci/7"});
  run.rows().run.phase = feed::run_phase::apply;
  EXPECT_EQ(verdict_of(run.rows()).next,
            std::vector<std::string>{"Follow it: tofud watch 20261121T0312-7f3a"});
  run.rows().run.labels = {{"url", "javascript:alert(1)"}};
  run.rows().run.phase = feed::run_phase::approval;
  EXPECT_EQ(verdict_of(run.rows()).next, std::vector<std::string>{"It waits for an approval."});
}

TEST(Verdict, WhateverComesIsSmallAndOneLineEach) {
  for (const std::string& text : {std::string{hostile}, std::string(90'000, '"'),
                                  std::string(90'000, '\\'), std::string(90'000, '\n')}) {
    small_run run;
    run.rows().run.stack = text;
    run.rows().run.status = feed::run_status::failed;
    run.rows().run.labels = {{"url", "https://" + text}};
    for (int i = 0; i < 300; ++i) {
      auto& row = run.resource(text, resource_status::failed);
      small_run::annotate(row, {text, text, {}}, text);
      auto& why = run.diagnostic("error", text, &row);
      why.detail = text;
      why.range = feed::source_range{text, {1, 1, 0}, {1, 1, 0}};
      run.resource(text, resource_status::interrupted);
    }
    run.rows().run.failures.worst = {text, 300};
    const verdict of = verdict_of(run.rows());
    const std::string json = to_json(of);
    EXPECT_LE(json.size(), limits::verdict_bytes);
    const auto read = boost::json::parse(json).as_object();
    EXPECT_EQ(read.at("failures").as_array().size() + read.at("more_failures").as_int64(), 300U);
    EXPECT_EQ(read.at("interrupted").as_array().size() + read.at("more_interrupted").as_int64(),
              300U);
    for (const char c : to_text(of)) EXPECT_TRUE(c == '\n' || (c & 0xe0) != 0) << int{c};
    EXPECT_LE(std::count(json.begin(), json.end(), '\n'), 1);
  }
}

}  // namespace
}  // namespace tofud::exports
