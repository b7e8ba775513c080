#include "daemon/notify/report.hpp"

#include "daemon/notify/limits.hpp"

#include <gtest/gtest.h>

namespace tofud::notify {
namespace {

report whole() {
  report of;
  of.what = occasion::recovered;
  of.id = "msg_1";
  of.run = "20261126T0000-aaaa";
  of.stack = "net/\"prod\"";
  of.command = "apply";
  of.status = "succeeded";
  of.labels = {{"env", "prod"}, {"team", "net"}};
  of.by = "jane";
  of.at = *ui::parse_timestamp("2026-11-26T10:00:00.5Z");
  of.started_at = ui::parse_timestamp("2026-11-26T09:00:00Z");
  of.changes = feed::change_counts{1, 2, 3, 4, 5};
  of.changes_are_done = true;
  of.errors = 5;
  of.first_errors = {{"it broke", "a.b", "main.tf:3", "team net", "https://run.book"},
                     {"again", "", "", "", ""}};
  of.stranded = 7;
  of.stranded_by = "a.b";
  of.seconds = 61;
  of.url = "https://tofud.example.com/?run=x";
  of.approve_url = "https://ci.example.com/1";
  of.resolves = "msg_0";
  of.others = {"one", "two"};
  of.more_others = 3;
  return of;
}

TEST(Report, IsReadAsItWasWritten) {
  for (const report& of : {whole(), report{}}) {
    const auto again = parse_report(to_json(of));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, of);
  }
}

TEST(Report, WhatIsNoneIsRefused) {
  for (const char* text : {"", "[]", "{}", R"({"occasion":"x","at":"2026-11-26T10:00:00Z"})",
                           R"({"occasion":"failed","at":"x"})"})
    EXPECT_FALSE(parse_report(text)) << text;
  EXPECT_TRUE(parse_report(
      R"({"occasion":"failed","at":"2026-11-26T10:00:00Z","labels":7,"changes":[],"first_errors":[1],"others":{}})"));
}

TEST(Report, HasAHeadlineForEachOccasion) {
  report of = whole();
  of.others.clear();
  const auto said = [&](occasion what) {
    of.what = what;
    return headline(of);
  };
  of.status = "failed";
  EXPECT_EQ(said(occasion::failed), "apply of net/\"prod\" failed");
  EXPECT_EQ(said(occasion::recovered), "apply of net/\"prod\" succeeded again");
  EXPECT_EQ(said(occasion::waiting), "apply of net/\"prod\" waits for an approval");
  of.stack.clear();
  EXPECT_EQ(said(occasion::drift), "apply found changes outside of OpenTofu");
  EXPECT_EQ(facts_of(of).size(), 5U);
  EXPECT_EQ(facts_of(of)[0], "3 imported, 1 added, 2 changed, 4 destroyed, 5 forgotten");
  EXPECT_EQ(facts_of(of)[1], "5 errors");
  EXPECT_EQ(facts_of(of)[2], "7 resources did not begin because of a.b");
}

TEST(Report, ItsIdIsTheSameForTheSameHappening) {
  EXPECT_EQ(report_id("r", occasion::failed, "x"), report_id("r", occasion::failed, "x"));
  EXPECT_NE(report_id("r", occasion::failed, "x"), report_id("r", occasion::failed, "y"));
  EXPECT_NE(report_id("r", occasion::failed, "x"), report_id("r", occasion::lost, "x"));
  EXPECT_NE(report_id("r", occasion::failed, "x"), report_id("s", occasion::failed, "x"));
}

TEST(Report, OfABurstNamesSomeAndCountsTheRest) {
  std::vector<report> all;
  for (int i = 0; i < 30; ++i) {
    report one = whole();
    one.others.clear();
    one.more_others = 0;
    one.what = i % 2 == 0 ? occasion::failed : occasion::recovered;
    one.status = "failed";
    one.stack = "s" + std::to_string(i);
    one.id = "msg_" + std::to_string(i);
    all.push_back(one);
  }
  const report burst = burst_of(all, "x");
  EXPECT_EQ(burst.others.size(), limits::told_burst_names);
  EXPECT_EQ(burst.more_others, 10U);
  EXPECT_EQ(burst.errors, 15U);
  EXPECT_EQ(headline(burst), "30 messages at once: 15 failed");
  EXPECT_EQ(burst.id, burst_of(all, "x").id);
}

TEST(Report, ATextIsOneReadableLineThatIsCut) {
  const auto hide = [](std::string_view text) {
    std::string out{text};
    if (const auto at = out.find("hunter2"); at != out.npos) out.replace(at, 7, "(redacted)");
    return out;
  };
  EXPECT_EQ(told_text("a hunter2\nb\x1b[31m", hide), "a (redacted) b");
  EXPECT_LE(told_text(std::string(5000, 'x'), nullptr).size(), limits::told_text_bytes + 3);
}

}  // namespace
}  // namespace tofud::notify
