#include "daemon/api/pages/run_list.hpp"

#include "tests/api/pages/read_page.hpp"

using namespace tofud;
using namespace tofud::pages;
using namespace std::chrono_literals;
using feed::run_status;

namespace {

const ui::time_point now = *ui::parse_timestamp("2026-11-21T03:12:05Z");

feed::run_view some_run(std::string id, run_status status) {
  feed::run_view run;
  run.id = std::move(id);
  run.stack = "github.com/acme/infra//net@prod";
  run.command = feed::run_command::apply;
  run.status = status;
  run.started_at = now - 10min;
  run.last_line_at = now - 5min;
  if (status != run_status::running) run.ended_at = now - 5min;
  run.progress.done = 9;
  run.progress.total = 41;
  return run;
}

run_list list_of(std::vector<feed::run_view> runs) {
  run_list list;
  list.runs = std::move(runs);
  list.now = now;
  return list;
}

}  // namespace

TEST(RunListPage, EachRunIsALineWithOneLink) {
  const auto page = read(run_list_page(
      list_of({some_run("r2", run_status::running), some_run("r1", run_status::failed)})));
  EXPECT_TRUE(
      says(page, "▶ running github.com/acme/infra// net@prod apply 9/41 10 min ago 10m00s"));
  EXPECT_TRUE(says(page, "✗ failed github.com/acme/infra// net@prod apply 9/41 10 min ago 5m00s"));
  for (const char* of_run : {"./?run=r1", "./?run=r2"}) {
    EXPECT_EQ(std::count(page.links.begin(), page.links.end(), of_run), 1) << of_run;
  }
}

TEST(RunListPage, ARunSaysWhatItChangedAndWhoTheSenderSaysItWas) {
  auto run = some_run("r1", run_status::succeeded);
  run.applied = feed::change_counts{13, 0, 0, 2, 0};
  run.labels = {{"actor", "ada"}, {"commit", "1a2b3c4d5e6f"}, {"branch", "main"}, {"team", "net"}};
  const auto page = read(run_list_page(list_of({run})));
  EXPECT_TRUE(says(page, "apply +13 -2 ada 1a2b3c4 main 10 min ago")) << page.text;
  EXPECT_FALSE(says(page, "team"));
}

TEST(RunListPage, TabsCountTheRunsOfEachStatus) {
  auto list = list_of({some_run("r1", run_status::failed)});
  list.counts = {{"failed", 4}, {"succeeded", 1200}};
  EXPECT_TRUE(
      says(read(run_list_page(list)), "All 1204 running succeeded 1200 failed 4 interrupted"));
}

TEST(RunListPage, TitleHasCounts) {
  EXPECT_EQ(read(run_list_page(list_of({some_run("r3", run_status::succeeded),
                                        some_run("r2", run_status::running),
                                        some_run("r1", run_status::failed)})))
                .title,
            "✗ 1 · ▶ 1 · 3 runs · tofud");
  run_list part = list_of({some_run("r1", run_status::succeeded)});
  part.next = "c";
  EXPECT_EQ(read(run_list_page(part)).title, "part of the runs: 1 run · tofud");
}

TEST(RunListPage, AgesAreByTheDaemonsClock) {
  auto ahead = some_run("r1", run_status::running);
  ahead.started_at = now + 50min;
  ahead.clock_offset = std::chrono::microseconds{-1h};
  EXPECT_TRUE(says(read(run_list_page(list_of({ahead}))), "10 min ago"));
}

TEST(RunListPage, ASilentRunHasNoContact) {
  auto silent = some_run("r1", run_status::running);
  silent.contact = feed::run_contact::none;
  EXPECT_TRUE(says(read(run_list_page(list_of({silent}))), "running no contact"));
  silent.contact = feed::run_contact::ok;
  EXPECT_FALSE(says(read(run_list_page(list_of({silent}))), "no contact"));
}

TEST(RunListPage, FormKeepsWhatWasAskedForAsWords) {
  run_list list = list_of({});
  list.asked = {"failed", "branch=\"><script>", "net"};
  const std::string html = run_list_page(list);
  EXPECT_NE(html.find("value=\"status:failed branch:&quot;\\&quot;&gt;&lt;script&gt;&quot; net\""),
            std::string::npos);
  EXPECT_NE(html.find("aria-current=\"page\">failed</a>"), std::string::npos);
  EXPECT_TRUE(says(read(html), "No run matches."));
}

TEST(RunListPage, ATabIsTheSameSearchInOneState) {
  run_list list = list_of({});
  list.asked.stack = "a/b c";
  list.asked.status = "failed";
  const auto page = read(run_list_page(list));
  const auto has = [&](std::string_view link) {
    return std::find(page.links.begin(), page.links.end(), link) != page.links.end();
  };
  EXPECT_TRUE(has("runs?stack=a%2Fb%20c"));
  EXPECT_TRUE(has("runs?status=running&stack=a%2Fb%20c"));
}

TEST(RunListPage, NextPageAsksForTheSameAndGoesOn) {
  run_list list = list_of({some_run("r1", run_status::failed)});
  list.asked = {"failed", "branch=a b", ""};
  list.asked.stack = "net/a";
  list.asked.until = "2026-11-21";
  list.next = "x&y";
  list.from_the_newest = false;
  const auto page = read(run_list_page(list));
  const auto has = [&](std::string_view link) {
    return std::find(page.links.begin(), page.links.end(), link) != page.links.end();
  };
  EXPECT_TRUE(
      has("runs?status=failed&stack=net%2Fa&label=branch%3Da%20b&until=2026-11-21&cursor=x%26y"));
  EXPECT_TRUE(has("runs?status=failed&stack=net%2Fa&label=branch%3Da%20b&until=2026-11-21"));
}

TEST(RunListPage, KnownStacksAreOffered) {
  run_list list = list_of({});
  list.stacks = {"", "net", "\"><b>"};
  const std::string html = run_list_page(list);
  EXPECT_NE(html.find("<option value=\"stack:net\"></option><option "
                      "value=\"stack:&quot;\\&quot;&gt;&lt;b&gt;&quot;\">"),
            std::string::npos);
}

TEST(RunListPage, AProblemStandsInPlaceOfRuns) {
  run_list list = list_of({});
  list.problem = "a label is written KEY=VALUE";
  const auto page = read(run_list_page(list));
  EXPECT_TRUE(says(page, "a label is written KEY=VALUE"));
  EXPECT_FALSE(says(page, "No run"));
}

TEST(RunListPage, HostileTextOfARunMakesNoElement) {
  auto hostile = some_run("<b>\"'&", run_status::failed);
  hostile.stack = "</td></tr></table><img src=x onerror=alert(1)>";
  hostile.labels = {{"actor", "\"><script>"}, {"branch", "<i>"}, {"commit", "<b>"}};
  const auto page = read(run_list_page(list_of({hostile})));
  for (const char* name : {"b", "i", "img"}) {
    EXPECT_EQ(std::count(page.elements.begin(), page.elements.end(), name), 0) << name;
  }
  EXPECT_EQ(std::count(page.elements.begin(), page.elements.end(), "script"), 1);  // its own
  EXPECT_EQ(std::count(page.links.begin(), page.links.end(), "javascript:alert(1)"), 0);
}

TEST(RunListPage, TestsAreCountedAsTests) {
  auto tested = some_run("r1", run_status::failed);
  tested.tests = feed::test_counts{3, 1, 0, 2};
  EXPECT_TRUE(says(read(run_list_page(list_of({tested}))), "3/6 tests"));
}
