#include "daemon/api/stack_listing.hpp"

#include "tests/wall/history.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tofud {
namespace {

using wall::minute;

wall::stack_summary of_net(const std::vector<wall::run_facts>& runs,
                           ui::time_point now = minute(1'000)) {
  wall::stack_cards cards;
  for (const wall::run_facts& each : runs) cards.update(each);
  return *cards.summary("net", now);
}

wall::run_facts apply(std::string id, std::int64_t at,
                      feed::run_status status = feed::run_status::succeeded) {
  wall::made_run made{std::move(id), feed::run_command::apply, at};
  made.facts().status = status;
  return made.facts();
}

std::string text_of(stacks_text::form as, const std::vector<wall::stack_summary>& all,
                    std::string_view next = "") {
  stacks_text text{as};
  for (const auto& each : all) text.add(each);
  return std::move(text).end(next);
}

TEST(StackListing, SaysWhatIsUnknownAsNull) {
  const auto read =
      boost::json::parse(to_json(of_net({apply("a", 1, feed::run_status::failed)}))).as_object();
  EXPECT_TRUE(read.at("last_success").is_null());
  EXPECT_TRUE(read.at("drift").is_null());
  EXPECT_TRUE(read.at("versions").as_object().at("tofu").is_null());
  EXPECT_TRUE(read.at("last_apply").as_object().at("who").is_null());
  EXPECT_TRUE(read.at("days_30").as_object().at("plans").as_object().at("median_s").is_null());
  EXPECT_FALSE(read.contains("seq"));
}

TEST(StackListing, SaysWhatWasAppliedLastAndWhatSucceeded) {
  auto good = apply("good", 1);
  good.from.who = "ada";
  good.commit = "c1";
  good.versions.tofu = "1.10.0";
  auto some = apply("some", 2);
  some.is_partial = true;
  auto bad = apply("bad", 3, feed::run_status::failed);
  bad.versions.tofu = "1.12.6";
  bad.rows.names = std::make_shared<const wall::run_names>(
      wall::run_names{{{"registry.opentofu.org/hashicorp/aws", "5.1.0"}}, {"@net", "@sec"}});
  const auto read = boost::json::parse(to_json(of_net({good, some, bad}))).as_object();
  EXPECT_EQ(read.at("last_apply").as_object().at("run"), "bad");
  EXPECT_EQ(
      boost::json::serialize(read.at("last_success")),
      R"({"run":"good","command":"apply","status":"succeeded","ended_at":"2019-12-20T00:01:30.000000Z","took_s":3E1,)"
      R"("who":"ada","who_is_verified":false,"commit":"c1","branch":null})");
  EXPECT_EQ(
      boost::json::serialize(read.at("versions")),
      R"({"tofu":"1.12.6","terraform":null,"providers":{"registry.opentofu.org/hashicorp/aws":"5.1.0"}})");
  EXPECT_EQ(boost::json::serialize(read.at("owners")), R"(["@net","@sec"])");
  EXPECT_EQ(boost::json::serialize(read.at("days_30").as_object().at("applies")),
            R"({"runs":3,"failed":1,"median_s":3E1})");
}

TEST(StackListing, CountsThirtyDays) {
  constexpr std::int64_t days_40 = 40 * 24 * 60;
  const auto read = boost::json::parse(to_json(of_net({apply("old", 1), apply("new", days_40)},
                                                      minute(days_40 + 1))))
                        .as_object();
  EXPECT_EQ(read.at("days_30").as_object().at("applies").as_object().at("runs"), 1);
}

TEST(StackListing, IsATableForSpreadsheets) {
  auto made = apply("a", 1);
  made.from.who = "=1+1";
  const std::string text = text_of(stacks_text::form::csv, {of_net({made})});
  EXPECT_NE(
      text.find("\r\nnet,succeeded,apply,a,succeeded,2019-12-20T00:01:30.000000Z,'=1+1,,applied,"),
      std::string::npos)
      << text;
}

TEST(StackListing, HasPages) {
  EXPECT_EQ(text_of(stacks_text::form::json, {}), R"({"stacks":[],"next":null})");
  EXPECT_EQ(text_of(stacks_text::form::json, {}, "net/a"), R"({"stacks":[],"next":"net/a"})");
}

}  // namespace
}  // namespace tofud
