// What is asked about the plan of a run, by hand: no socket, the recordings' plans.
#include "daemon/api/attachment_reads.hpp"

#include "tests/api/attached_run.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::test {
namespace {

class asking : public attached_run {
 public:
  asking() : attached_run{add_attachment_reads} {}
};

const boost::json::object* child(const boost::json::value& node, std::string_view key) {
  for (const auto& each : node.at("children").as_array()) {
    if (const auto* name = each.as_object().if_contains("key"); name && name->as_string() == key)
      return &each.as_object();
  }
  return nullptr;
}

// A plan of one resource with a map of `size` elements, of which each but the first changes.
std::string plan_of_map(int size) {
  boost::json::object before, after;
  for (int i = 0; i < size; ++i) {
    before["k" + std::to_string(i)] = "old";
    after["k" + std::to_string(i)] = i == 0 ? "old" : "new";
  }
  boost::json::object change{{"actions", {"update"}},      {"before", {{"tags", before}}},
                             {"after", {{"tags", after}}}, {"after_unknown", boost::json::object{}},
                             {"before_sensitive", false},  {"after_sensitive", false}};
  boost::json::object resource{{"address", "a_b.c"},
                               {"mode", "managed"},
                               {"type", "a_b"},
                               {"name", "c"},
                               {"provider_name", "registry.opentofu.org/x/a"}};
  resource["change"] = std::move(change);
  boost::json::array changes;
  changes.push_back(std::move(resource));
  boost::json::object plan{{"format_version", "1.2"}, {"terraform_version", "1.12.6"}};
  plan["resource_changes"] = std::move(changes);
  return boost::json::serialize(plan);
}

TEST(AttachmentReads, ARunWithoutAPlanSaysWhatToDo) {
  asking run;
  for (const std::string path : {"/v1/runs/R7/diff", "/v1/runs/R7/plan"}) {
    const auto found = run.get(path, "addr=a.b");
    EXPECT_EQ(found.status, 404);
    EXPECT_NE(found.body.find("no plan is attached to R7"), std::string::npos) << found.body;
    EXPECT_NE(found.body.find("--plan FILE"), std::string::npos) << found.body;
  }
}

TEST(AttachmentReads, AnUnknownRunIsNotFound) {
  asking run;
  const auto found = run.get("/v1/runs/other/diff", "addr=a.b");
  EXPECT_EQ(found.status, 404);
  EXPECT_NE(found.body.find("no run other"), std::string::npos) << found.body;
}

TEST(AttachmentReads, TheDiffOfAResourceIsThatOfThePlan) {
  asking run;
  run.attach("update-in-place");
  const auto plan = boost::json::parse(
      read_file(std::string{TEST_RECORDINGS} + "/update-in-place/plan.json").value());
  int updates = 0;
  for (const auto& change : plan.at("resource_changes").as_array()) {
    if (change.at("change").at("actions").as_array() != boost::json::array{"update"}) continue;
    ++updates;
    const std::string address{change.at("address").as_string()};
    const auto rows = run.rows("addr=" + address);
    ASSERT_EQ(rows.size(), 1U) << address;
    EXPECT_EQ(rows[0].at("address").as_string(), address);
    EXPECT_EQ(rows[0].at("action").as_string(), "update");
    EXPECT_EQ(rows[0].at("body").at("kind").as_string(), "block");
    EXPECT_EQ(rows[0].as_object().if_contains("schema"), nullptr);
    EXPECT_FALSE(rows[0].at("body").at("children").as_array().empty());
  }
  EXPECT_GT(updates, 0);
}

TEST(AttachmentReads, AnAddressThatThePlanDoesNotHaveHasNoRows) {
  asking run;
  run.attach("update-in-place");
  EXPECT_EQ(run.get("/v1/runs/R7/diff", "addr=no.such%5B%22%5C%22%22%5D").text(),
            "{\"addr\":\"no.such[\\\"\\\\\\\"\\\"]\",\"rows\":[]}\n");
}

TEST(AttachmentReads, APartIsFoundByItsPathAndGoesOnWhereItWasCut) {
  asking run;
  run.attach_text(plan_of_map(450));
  const auto whole = run.rows("addr=a_b.c");
  ASSERT_EQ(whole.size(), 1U);
  const auto* tags = child(whole[0].at("body"), "tags");
  ASSERT_NE(tags, nullptr);
  std::size_t told = tags->at("children").as_array().size();
  EXPECT_EQ(tags->at("unchanged").to_number<int>(), 1);
  boost::json::object last = *tags;
  while (const auto* next = last.if_contains("next")) {
    const auto more =
        run.rows("addr=a_b.c&path=%5B%22tags%22%5D&from=" + std::to_string(next->to_number<int>()));
    last = more.at(0).at("body").as_object();
    told += last.at("children").as_array().size();
  }
  EXPECT_EQ(told, 449U);
  const auto all = run.rows("addr=a_b.c&path=%5B%22tags%22%5D&unchanged=1");
  EXPECT_NE(child(all[0].at("body"), "k0"), nullptr);
}

TEST(AttachmentReads, AnUnknownPathHasNoRows) {
  asking run;
  run.attach_text(plan_of_map(1));
  EXPECT_TRUE(run.rows("addr=a_b.c&path=%5B%22nothing%22%5D").empty());
}

TEST(AttachmentReads, ABadQueryIsRefusedByTheNameOfTheParameter) {
  asking run;
  run.attach_text(plan_of_map(1));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "addr="},
      {"addr=%zz", "addr="},
      {"addr=a&path=tags", "path="},
      {"addr=a&path=%5B1%5D", "path="},
      {"addr=a&path=%7B%7D", "path="},
      {"addr=a&from=-1", "from="},
      {"addr=a&from=x", "from="},
      {"addr=a&unchanged=yes", "unchanged="}};
  for (const auto& [query, name] : cases) {
    const auto found = run.get("/v1/runs/R7/diff", query);
    EXPECT_EQ(found.status, 400) << query;
    EXPECT_NE(found.body.find(name), std::string::npos) << query << found.body;
  }
}

TEST(AttachmentReads, SensitiveValuesAreInNoAnswer) {
  asking run;
  run.attach("plan-sensitive-nested");
  std::string all = run.get("/v1/runs/R7/plan").content_type;
  EXPECT_EQ(all, "application/x-ndjson");
  const auto answer = run.get("/v1/runs/R7/plan");
  while (answer.pieces(all)) {
  }
  EXPECT_NE(all.find("\"kind\":\"sensitive\""), std::string::npos);
  const auto plan = boost::json::parse(
      read_file(std::string{TEST_RECORDINGS} + "/plan-sensitive-nested/plan.json").value());
  const auto& changes = plan.at("resource_changes").as_array();
  const auto& file = changes[0].at("change");
  const auto& password = changes[1].at("change");
  for (const auto& secret : {file.at("before").at("content"), file.at("after").at("content"),
                             password.at("before").at("result")}) {
    EXPECT_EQ(all.find(boost::json::serialize(secret)), std::string::npos) << secret;
  }
  EXPECT_NE(all.find("visible 2"), std::string::npos);
}

TEST(AttachmentReads, ThePlanIsOneRowALineWithItsSummary) {
  asking run;
  run.attach("update-in-place");
  const auto answer = run.get("/v1/runs/R7/plan");
  std::string all;
  while (answer.pieces(all)) {
  }
  std::string kinds;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = all.find('\n', begin)) != std::string::npos; begin = end + 1)
    kinds +=
        std::string{boost::json::parse(all.substr(begin, end - begin)).at("kind").as_string()} +
        " ";
  EXPECT_EQ(begin, all.size());
  EXPECT_TRUE(kinds.starts_with("resource ")) << kinds;
  EXPECT_TRUE(kinds.ends_with("summary ")) << kinds;
}

}  // namespace
}  // namespace tofud::test
