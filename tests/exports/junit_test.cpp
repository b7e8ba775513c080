#include "daemon/exports/junit.hpp"

#include "tests/exports/rows.hpp"

#include <gtest/gtest.h>

namespace tofud::exports {
namespace {

using feed::resource_status;
using test::small_run;
using testing::AssertionFailure;
using testing::AssertionSuccess;

testing::AssertionResult has(const std::string& text, std::string_view part) {
  if (text.find(part) != std::string::npos) return AssertionSuccess();
  return AssertionFailure() << "no " << part << " in\n" << text;
}

TEST(Junit, TestFilesAreSuitesAndRunsAreCases) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  run.test_file("a.tftest.hcl", "fail");
  run.test_file("b.tftest.hcl", "pass");
  run.test_run("a.tftest.hcl", "good", "pass");
  run.test_run("a.tftest.hcl", "bad", "fail");
  run.test_run("b.tftest.hcl", "later", "skip");
  auto& error = run.diagnostic("error", "Test assertion failed");
  error.detail = "1 is not 2";
  error.test_file = "a.tftest.hcl";
  error.test_run = "bad";
  const std::string text = junit({run.rows()});
  EXPECT_TRUE(has(text, R"(<testsuites name="tofud" tests="4" failures="1" errors="0")"));
  EXPECT_TRUE(has(text, R"(<testsuite name="a.tftest.hcl" id="0" tests="2" failures="1")"));
  EXPECT_TRUE(has(text, R"(<testcase classname="a.tftest.hcl" name="good" time="0"/>)"));
  EXPECT_TRUE(has(text, R"(<failure message="Test assertion failed" type="failure">)"
                        "╷\n│ Error: Test assertion failed\n│\n│ 1 is not 2\n╵</failure>"));
  EXPECT_TRUE(has(text, R"(name="later" time="0"><skipped message="skipped"/>)"));
}

TEST(Junit, FailureNamesTheOwner) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  auto& bad = run.resource("t.bad", resource_status::failed);
  small_run::annotate(bad, {"@db", "https://w?a&b", {}});
  run.diagnostic("error", "quota", &bad);
  small_run::annotate(run.resource("t.good", resource_status::done), {"@nobody", "", {}});
  const std::string text = junit({run.rows()});
  EXPECT_TRUE(has(text, "╵\n\nowner @db · runbook https://w?a&amp;b</failure>"));
  EXPECT_FALSE(has(text, "@nobody"));
}

TEST(Junit, AFileThatFailsOutsideItsRunsHasACaseOfItsOwn) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  run.test_file("a.tftest.hcl", "error");
  run.test_run("a.tftest.hcl", "never", "pending");
  run.diagnostic("error", "no such module").test_file = "a.tftest.hcl";
  const std::string text = junit({run.rows()});
  EXPECT_TRUE(has(text, R"(name="never" time="0"><skipped message="never ran"/>)"));
  EXPECT_TRUE(has(text, R"(<testcase classname="a.tftest.hcl" name="a.tftest.hcl")"));
  EXPECT_TRUE(has(text, R"(<error message="no such module")"));
}

TEST(Junit, ApplyListsChangedResourcesOnly) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  run.resource("t.same", resource_status::unchanged);
  run.resource("t.good", resource_status::done, 1, 3.5);
  auto& bad = run.resource("t.bad", resource_status::failed);
  run.resource("t.later", resource_status::skipped);
  run.resource("t.hung", resource_status::interrupted);
  run.diagnostic("warning", "old syntax", &bad);
  run.diagnostic("error", "quota", &bad);
  const std::string text = junit({run.rows()});
  EXPECT_TRUE(has(text, R"(tests="5" failures="1" errors="1" skipped="1" time="10")"));
  EXPECT_EQ(text.find("t.same"), std::string::npos);
  EXPECT_TRUE(has(text, R"(name="t.good" time="2.5"/>)"));
  EXPECT_TRUE(has(text, R"(<failure message="quota")"));
  EXPECT_TRUE(has(text, R"(<error message="never finished")"));
  EXPECT_TRUE(has(text, R"(name="the run" time="10"/>)"));
}

TEST(Junit, ARunThatFailedNeverLooksGreen) {
  small_run failed;
  failed.rows().run.status = feed::run_status::failed;
  failed.diagnostic("error", "no such backend");
  EXPECT_TRUE(has(junit({failed.rows()}), R"(<error message="no such backend")"));
  small_run silent;
  silent.rows().run.status = feed::run_status::failed;
  EXPECT_TRUE(has(junit({silent.rows()}), R"(<error message="failed")"));
  small_run lost;
  lost.rows().run.status = feed::run_status::lost;
  lost.diagnostic("error", "quota", &lost.resource("t.bad", resource_status::failed));
  EXPECT_TRUE(has(junit({lost.rows()}), R"(<error message="lost")"));
}

TEST(Junit, ARunThatSucceededNeverLooksRed) {
  small_run run;
  auto& probe = run.resource("data.http.probe", resource_status::failed);
  run.diagnostic("warning", "no answer", &probe);
  run.diagnostic("error", "of no resource");
  const std::string text = junit({run.rows()});
  EXPECT_TRUE(has(text, R"(failures="0" errors="0")"));
  EXPECT_TRUE(has(text, R"(<skipped message="no answer"/>)"));
}

TEST(Junit, HostileTextIsEscapedAndWhatXmlHasNoPlaceForReplaced) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  auto& row = run.resource(test::hostile, resource_status::failed);
  run.diagnostic("error", test::hostile, &row).detail = test::hostile;
  const std::string text = junit({run.rows()});
  EXPECT_EQ(text.find("]]>"), std::string::npos);
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find_first_of("\x1b\x01\a\xff"), std::string::npos);
  EXPECT_EQ(text.find("\xEF\xBF\xBF"), std::string::npos);
  EXPECT_TRUE(has(text, "]]&gt;&lt;script&gt;&amp;amp;"));
}

TEST(Junit, WhatWasSkippedSaysWhatItIsBehind) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  const feed::named_operations behind{{"t.bad", "t.worse"}, 0};
  const feed::causes why{nullptr, &behind, {}};
  run.resource("t.later", resource_status::skipped).causes = &why;
  EXPECT_TRUE(
      has(junit({run.rows()}), R"(<skipped message="skipped: behind t.bad and t.worse"/>)"));
}

}  // namespace
}  // namespace tofud::exports
