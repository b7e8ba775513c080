#include "daemon/exports/markdown.hpp"

#include "protocol/text/limits.hpp"
#include "tests/exports/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tofud::exports {
namespace {

using feed::resource_status;
using test::small_run;

TEST(Markdown, BeginsWithOneLineAndListsFailuresFirst) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  run.rows().run.stack = "net/prod";
  run.rows().run.applied = feed::change_counts{2, 1, 0, 3, 0};
  run.rows().run.diagnostics.errors = 1;
  run.rows().outputs = {"url"};
  run.resource("t.same", resource_status::unchanged);
  run.resource("t.good", resource_status::done, 1, 3.5);
  auto& bad = run.resource("t.bad", resource_status::failed);
  run.diagnostic("error", "quota", &bad).detail = "Ask for more.";
  EXPECT_EQ(markdown({run.rows()}),
            "### ❌ apply failed: `net/prod`\n"
            "\n"
            "2 added, 1 changed, 3 destroyed · 1 error · 10 s · run "
            "`20261121T0312-7f3a`\n"
            "\n"
            "**Error:** `quota` · `t.bad`\n"
            "\n"
            "```text\n"
            "╷\n"
            "│ Error: quota\n"
            "│\n"
            "│   with t.bad,\n"
            "│ Ask for more.\n"
            "╵\n"
            "```\n"
            "\n"
            "| resource | action | status | took |\n"
            "|---|---|---|---:|\n"
            "| `t.bad` | `create` | ❌ failed | 1 s |\n"
            "| `t.good` | `create` | done | 2.5 s |\n"
            "\n"
            "Outputs: `url`\n");
}

TEST(Markdown, AFailedResourceHasItsOwner) {
  small_run run;
  small_run::annotate(run.resource("t.good", resource_status::done), {"@nobody", "", {}});
  small_run::annotate(run.resource("t.bad", resource_status::failed), {"@db", "https://w", {}});
  const std::string text = markdown({run.rows()});
  EXPECT_NE(text.find("| `t.bad` · owner `@db` · runbook `https://w` | `create` | ❌ failed |"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("@nobody"), std::string::npos);
}

TEST(Markdown, StaysWithinItsLimitAndCountsWhatIsLeftOut) {
  small_run run;
  for (int i = 0; i < 3000; ++i) {
    auto& row = run.resource("aws_subnet.a_name_of_some_length", resource_status::failed);
    run.diagnostic("error", "quota", &row).detail = std::string(9000, 'x');
  }
  const std::string text = markdown({run.rows()});
  EXPECT_LE(text.size(), limits::markdown_bytes + 1000);
  EXPECT_NE(text.find(" more errors\n"), std::string::npos);
  EXPECT_NE(text.find(" more resources\n"), std::string::npos);
  EXPECT_NE(text.find("| `aws_subnet.a_name_of_some_length` |"), std::string::npos);
}

TEST(Markdown, ManyRunsShareTheRoom) {
  std::vector<small_run> runs(500);
  std::vector<run_rows> rows;
  for (small_run& run : runs) rows.push_back(run.rows());
  const std::string text = markdown(rows);
  EXPECT_LE(text.size(), limits::markdown_bytes + 1000);
}

TEST(Markdown, HostileTextStaysInItsCell) {
  small_run run;
  auto& row = run.resource(test::hostile, resource_status::failed);
  run.diagnostic("error", test::hostile, &row);
  const std::string text = markdown({run.rows()});
  const std::size_t begin = text.find("| resource");
  const std::string table = text.substr(begin, text.find("\n\n", begin) - begin);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
  EXPECT_EQ(std::count(table.begin(), table.end(), '|'), 15);
  EXPECT_EQ(text.find_first_of("\x1b\x01\a\xff"), std::string::npos);
}

TEST(Markdown, TellsWhatWaitsForWhatAndWhatAFailureStrands) {
  small_run run;
  const feed::named_operations database{{"t.db"}, 3}, failed{{"t.bad"}, 0};
  const feed::causes waits{&database, nullptr, {}}, behind{nullptr, &failed, {}},
      strands{nullptr, nullptr, 2};
  run.resource("t.waits", resource_status::planned).causes = &waits;
  run.resource("t.skipped", resource_status::skipped).causes = &behind;
  run.resource("t.bad", resource_status::failed).causes = &strands;
  const std::string text = markdown({run.rows()});
  EXPECT_NE(text.find("planned, waits for `t.db and 3 more` |"), std::string::npos) << text;
  EXPECT_NE(text.find("skipped, behind `t.bad` |"), std::string::npos) << text;
  EXPECT_NE(text.find("failed, 2 behind it |"), std::string::npos) << text;
}

}  // namespace
}  // namespace tofud::exports
