#include "daemon/api/pages/stack.hpp"

#include "tests/api/pages/read_page.hpp"

using namespace tofud;
using namespace tofud::pages;
using namespace std::chrono_literals;
using feed::run_status;

namespace {

const ui::time_point now = *ui::parse_timestamp("2026-11-21T03:12:05Z");

feed::run_view some_run(std::string id, run_status status, std::chrono::seconds took = 60s) {
  feed::run_view run;
  run.id = std::move(id);
  run.command = feed::run_command::apply;
  run.status = status;
  run.started_at = now - 10min;
  run.ended_at = now - 10min + took;
  return run;
}

stack_view stack_of(std::vector<feed::run_view> runs) {
  stack_view shown;
  shown.name = "acme/infra//net@prod";
  shown.runs = std::move(runs);
  shown.now = now;
  return shown;
}

}  // namespace

TEST(StackPage, SaysSinceWhenAppliesFailAndWhenTheLastGoodOneWas) {
  auto first = some_run("r2", run_status::failed);
  first.labels = {{"actor", "ada"}, {"commit", "1a2b3c4d5e"}};
  const auto page = read(stack_page(stack_of(
      {some_run("r3", run_status::failed), first, some_run("r1", run_status::succeeded)})));
  EXPECT_TRUE(says(page,
                   "2 applies in a row did not succeed, the first: apply 9 min ago by ada "
                   "1a2b3c4"))
      << page.text;
  EXPECT_TRUE(says(page, "Last apply that succeeded: apply 9 min ago, took 1m00s")) << page.text;
}

TEST(StackPage, WithoutAGoodApplyNoneIsClaimed) {
  const auto page = read(stack_page(stack_of({some_run("r1", run_status::failed)})));
  EXPECT_TRUE(says(page, "Its last apply did not succeed: apply")) << page.text;
  EXPECT_FALSE(says(page, "Last apply that succeeded"));
}

TEST(StackPage, AClockThatWasSetBackDrawsNoEndlessBar) {
  const std::string html = stack_page(stack_of(
      {some_run("r2", run_status::succeeded, -3600s), some_run("r1", run_status::succeeded)}));
  EXPECT_NE(html.find("height=\"3\"></rect>"), std::string::npos) << html;
  EXPECT_EQ(html.find("height=\"1844"), std::string::npos) << html;
}

TEST(StackPage, OfFewAppliesNothingIsSaidOfHowLongTheyTake) {
  std::vector<feed::run_view> runs(4, some_run("r", run_status::succeeded));
  EXPECT_FALSE(says(read(stack_page(stack_of(runs))), "nine of ten"));
  runs.push_back(some_run("r", run_status::succeeded, 90s));
  EXPECT_TRUE(says(read(stack_page(stack_of(runs))),
                   "Of its last 5 applies that succeeded half took at most 1m00s, nine of ten "
                   "1m30s."));
}

TEST(StackPage, HostileTextMakesNoElement) {
  auto hostile = some_run("<b>\"'&", run_status::failed);
  hostile.labels = {{"actor", "\"><script>"}, {"commit", "<i>"}};
  auto shown = stack_of({hostile});
  shown.name = "</h1><img src=x onerror=alert(1)>";
  shown.usual.push_back({"<b>x</b>", "t", "create", {.p50 = 9, .p80 = 10, .flaky = true}});
  const auto page = read(stack_page(shown));
  for (const char* name : {"b", "i", "img", "script"})
    EXPECT_EQ(std::count(page.elements.begin(), page.elements.end(), name), 0) << name;
}

TEST(StackPage, AStackOfWhichNothingIsKeptSaysSo) {
  const auto page = read(stack_page(stack_of({})));
  EXPECT_TRUE(says(page, "No run of this stack is kept here. All runs")) << page.text;
}
