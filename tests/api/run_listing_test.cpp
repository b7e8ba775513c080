#include "daemon/api/run_listing.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

using namespace tofud;

namespace {

feed::run_view run(std::string id, const char* began, std::string stack = "net") {
  feed::run_view made;
  made.id = std::move(id);
  made.stack = std::move(stack);
  made.status = feed::run_status::succeeded;
  if (*began != '\0') made.started_at = ui::parse_timestamp(began);
  return made;
}

/// As they came: the second began before the first.
std::vector<feed::run_view> known() {
  return {run("b", "2026-11-21T03:00:00Z"), run("a", "2026-11-20T03:00:00Z", "dns"),
          run("c", "2026-11-22T03:00:00Z"), run("c.2", "2026-11-22T03:00:00Z")};
}

std::string found(const feed::run_query& asked) {
  const auto list = list_runs(known(), asked);
  std::string ids = list.failure;
  for (const auto& each : list.runs) ids += (ids.empty() ? "" : " ") + each.id;
  return list.next.empty() ? ids : ids + " … " + list.next;
}

}  // namespace

TEST(RunListing, NewestFirstAndOfOneTimeTheLaterOne) { EXPECT_EQ(found({}), "c.2 c b a"); }

TEST(RunListing, FiltersByStackStatusAndText) {
  feed::run_query asked;
  asked.stack = "dns";
  EXPECT_EQ(found(asked), "a");
  asked.stack = "ne";
  EXPECT_EQ(found(asked), "");
  asked.stack = "";
  asked.statuses = {"failed"};
  EXPECT_EQ(found(asked), "");
  asked.statuses = {"failed", "succeeded"};
  asked.text = "DNS";
  EXPECT_EQ(found(asked), "a");
}

TEST(RunListing, BetweenTimesAndRuns) {
  feed::run_query asked;
  asked.since = "2026-11-21T03:00:00Z";
  EXPECT_EQ(found(asked), "c.2 c b");
  asked.until = "c";
  EXPECT_EQ(found(asked), "b");
  asked.since = "a";
  asked.until = "2026-11-22T03:00:00Z";
  EXPECT_EQ(found(asked), "b");
  asked.since = "c";
  asked.until = "";
  EXPECT_EQ(found(asked), "c.2");
  asked.since = "d";
  EXPECT_EQ(found(asked), "since is neither a time such as 2026-11-21T03:12:00Z nor a run");
  asked.since = "";
  asked.until = "2026-11-21";
  EXPECT_EQ(found(asked), "until is neither a time such as 2026-11-21T03:12:00Z nor a run");
}

TEST(RunListing, PagesGoOnBehindTheCursor) {
  feed::run_query asked;
  asked.limit = 3;
  EXPECT_EQ(found(asked), "c.2 c b … b");
  asked.cursor = "b";
  EXPECT_EQ(found(asked), "a");
  asked.cursor = "x";
  EXPECT_EQ(found(asked), "cursor does not belong to this list");
}

TEST(RunListing, CountsByStatusWhatIsAskedForOnAnyPageAndInAnyStatus) {
  feed::run_query asked;
  EXPECT_TRUE(list_runs(known(), asked).counts.empty());
  asked.counted = true;
  asked.statuses = {"failed"};
  EXPECT_EQ(list_runs(known(), asked).counts, (feed::status_counts{{"succeeded", 4}}));
  asked.statuses.clear();
  asked.limit = 1;
  asked.cursor = "c";
  EXPECT_EQ(list_runs(known(), asked).counts, (feed::status_counts{{"succeeded", 4}}));
  asked.stack = "dns";
  EXPECT_EQ(list_runs(known(), asked).counts, (feed::status_counts{{"succeeded", 1}}));
}

TEST(RunListing, TextIsADocument) {
  const auto read = [](std::string text) { return boost::json::parse(text).as_object(); };
  const auto none = read(listed_runs_text{}.end(""));
  EXPECT_TRUE(none.at("runs").as_array().empty());
  EXPECT_TRUE(none.at("next").is_null());
  listed_runs_text text;
  text.add(run("a", ""));
  text.add(run("b", ""));
  const auto two = read(std::move(text).end("x\"y"));
  EXPECT_EQ(two.at("runs").as_array().size(), 2);
  EXPECT_EQ(two.at("next"), "x\"y");
  EXPECT_FALSE(two.contains("counts"));
  EXPECT_EQ(read(listed_runs_text{}.end("", {{"failed", 2}, {"lost", 1}})).at("counts"),
            boost::json::value({{"failed", 2}, {"lost", 1}}));
}
