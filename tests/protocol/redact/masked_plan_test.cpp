// A masked plan says the same as the plan but for what is sensitive.
#include "protocol/redact/masked_plan.hpp"

#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/plan_types.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace tofud::attachments {
namespace {

std::string masked(std::string_view plan, const schema::schemas* known) {
  const auto document = plan::read(plan);
  if (!document) return document.error().text();
  const auto made = redact::masked_plan(*document, known);
  return made ? *made : made.error().text();
}

std::string rows_of(std::string_view plan, const schema::schemas* known) {
  const auto document = plan::read(plan);
  if (!document) return document.error().text();
  diff::plan_drawing wanted;
  wanted.known.schemas = known;
  std::string rows;
  const auto drawn = draw_lines(*document, wanted, diff::line_form::rows,
                                [&](std::string_view row) { rows.append(row); });
  return drawn ? rows : drawn.error().text();
}

schema::schemas schemas_of(std::string_view json) {
  auto parser = test::whole_document();
  EXPECT_FALSE(parser.parse(json));
  auto read = schema::read_provider_schemas(parser.root());
  EXPECT_TRUE(read);
  return read ? std::move(*read) : schema::schemas{};
}

// What rows say of resources, outputs and what is directly in them. Deeper, a list may tell the
// same change in another way: whether an element that is hidden stayed or came back is hidden, too.
std::vector<std::string> told(const std::string& rows) {
  std::vector<std::string> all;
  std::istringstream lines{rows};
  for (std::string line; std::getline(lines, line);) {
    auto parser = test::whole_document();
    EXPECT_FALSE(parser.parse(line));
    const json::value row = parser.root();
    std::string head;
    for (const char* name : {"kind", "address", "name", "action", "reason", "deposed"})
      head.append(row[name].text()).append(" ");
    head.append(row["body"]["action"].text()).append(" ").append(row["body"]["unchanged"].text());
    all.push_back(head);
    for (const json::value each : row["body"]["children"])
      all.push_back(std::string{each["key"].text()} + " " + std::string{each["kind"].text()} + " " +
                    std::string{each["action"].text()});
  }
  return all;
}

std::vector<std::string> heads(const std::string& rows) {
  std::vector<std::string> all;
  std::istringstream lines{rows};
  for (std::string line; std::getline(lines, line);) {
    auto parser = test::whole_document();
    EXPECT_FALSE(parser.parse(line));
    const json::value row = parser.root();
    std::string head{row["kind"].text()};
    for (const char* name : {"address", "name", "action", "reason", "deposed", "drift"})
      head.append(" ").append(row[name].text());
    all.push_back(head.append(" ").append(row["body"]["action"].text()));
  }
  return all;
}

class GoldenPlans : public testing::TestWithParam<const char*> {};

TEST_P(GoldenPlans, RedactedPlansGiveTheSameRowsAndRedactingTwiceChangesNothing) {
  std::size_t cases = 0;
  test::for_each_case(
      std::string{TEST_GOLDEN} + "/" + GetParam(), [&](const test::golden_case& each) {
        ++cases;
        const auto known = schemas_of(each.raw("schemas"));
        const std::string once = masked(each.raw("plan"), &known);
        EXPECT_EQ(told(rows_of(once, &known)), told(rows_of(each.raw("plan"), &known)))
            << each.string("name");
        EXPECT_EQ(masked(once, &known), once) << each.string("name");
        // Without the schemas, what only they hide is not told from the rest any more: which
        // numbers and truths were equal may be lost, never which resource changes how.
        EXPECT_EQ(heads(rows_of(masked(once, nullptr), &known)), heads(rows_of(once, &known)))
            << each.string("name");
      });
  EXPECT_GT(cases, 90);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenPlans,
                         testing::Values("plan-render.jsonl.gz", "plan-render-random.jsonl.gz",
                                         "plan-render-wide.jsonl.gz"),
                         [](const auto& each) { return std::to_string(each.index); });

// ---- planted values -------------------------------------------------------------------------

/// A value with secrets in it, and its marks.
class planting {
 public:
  explicit planting(unsigned seed) : random_{seed} {}

  struct made {
    std::string value, mark;
  };

  made any(int depth) {  // NOLINT(misc-no-recursion)
    if (one_in(4)) return {secret(depth), "true"};
    switch (depth <= 0 ? 3 : number(4)) {
      case 0:
        return object(depth - 1);
      case 1:
        return array(depth - 1);
      default:
        return {"\"plain" + std::to_string(number(3)) + "\"", "false"};
    }
  }

  const std::set<std::string>& planted() const { return planted_; }

 private:
  bool one_in(int n) { return number(n) == 0; }
  int number(int n) { return std::uniform_int_distribution{0, n - 1}(random_); }

  std::string secret(int depth) {
    std::string text = "PLANTED-" + std::to_string(random_()) + "-" + std::to_string(number(2));
    planted_.insert(text);
    if (depth > 0 && one_in(3)) return "{\"k\":[\"" + text + "\"]}";
    return "\"" + text + "\"";
  }

  made object(int depth) {  // NOLINT(misc-no-recursion)
    made whole{"{", "{"};
    for (int i = number(4); i >= 0; --i) {
      const made inner = any(depth);
      const std::string key = "\"k" + std::to_string(i) + "\":";
      whole.value += (whole.value == "{" ? "" : ",") + key + inner.value;
      whole.mark += (whole.mark == "{" ? "" : ",") + key + inner.mark;
    }
    return {whole.value + "}", whole.mark + "}"};
  }

  made array(int depth) {  // NOLINT(misc-no-recursion)
    made whole{"[", "["};
    for (int i = number(4); i > 0; --i) {
      const made inner = any(depth);
      whole.value += (whole.value == "[" ? "" : ",") + inner.value;
      whole.mark += (whole.mark == "[" ? "" : ",") + inner.mark;
    }
    return {whole.value + "]", whole.mark + "]"};
  }

  std::mt19937 random_;
  std::set<std::string> planted_;
};

std::string change_of(const planting::made& before, const planting::made& after) {
  return R"({"actions":["update"],"before":{"a":)" + before.value + R"(},"after":{"a":)" +
         after.value + R"(},"before_sensitive":{"a":)" + before.mark +
         R"(},"after_sensitive":{"a":)" + after.mark +
         R"(},"importing":{"id":"PLANTED-id"},"before_identity":{"id":"PLANTED-id"},)"
         R"("generated_config":"PLANTED-code"})";
}

TEST(MaskedPlan, HasNoPlantedValue) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    planting one{seed};
    std::string changes;
    for (int i = 0; i < 3; ++i)
      changes += (i > 0 ? "," : "") + (R"({"address":"t.x[)" + std::to_string(i) +
                                       R"(]","type":"t","name":"x","mode":"managed","change":)" +
                                       change_of(one.any(4), one.any(4)) + "}");
    const std::string plan =
        R"({"format_version":"1.2","variables":{"v":{"value":"PLANTED-v"}},)"
        R"("prior_state":{"x":"PLANTED-state"},"planned_values":{"x":"PLANTED-values"},)"
        R"("configuration":{"x":"PLANTED-config"},"resource_changes":[)" +
        changes + R"(],"resource_drift":[)" + changes + R"(],"output_changes":{"o":)" +
        change_of({"\"PLANTED-o\"", "true"}, {"\"PLANTED-p\"", "true"}) + "}}";
    const std::string made = masked(plan, nullptr);
    EXPECT_EQ(made.find("PLANTED"), std::string::npos) << made;
    EXPECT_TRUE(one.planted().empty() || made.find("sensitive") != std::string::npos);
    EXPECT_EQ(rows_of(made, nullptr).find("PLANTED"), std::string::npos);
  }
}

TEST(MaskedPlan, HidesValuesThatOnlyTheSchemaMarks) {
  const auto known = schemas_of(R"({"format_version":"1.0","provider_schemas":{"p":{
    "resource_schemas":{"t":{"version":0,"block":{
      "attributes":{"secret":{"type":"string","sensitive":true},
                    "many":{"nested_type":{"nesting_mode":"map","attributes":{
                      "inner":{"type":"string","sensitive":true},"plain":{"type":"string"}}}}},
      "block_types":{"b":{"nesting_mode":"list","block":{"attributes":{
        "deep":{"type":["list","string"],"sensitive":true}}}},
        "s":{"nesting_mode":"single","block":{"attributes":{
        "deep":{"type":"number","sensitive":true}}}}}}}}}}})");
  const std::string made = masked(R"({"format_version":"1.2","resource_changes":[{"address":"t.x",
    "mode":"managed","type":"t","name":"x","provider_name":"p","change":{"actions":["update"],
    "before":{"secret":"P1","many":{"k":{"inner":"P2","plain":"seen"}},"b":[{"deep":["P3"]}],
      "s":{"deep":77771}},
    "after":{"secret":"P1","many":{"k":{"inner":"P4","plain":"seen"}},"b":[{"deep":["P3"]}],
      "s":{"deep":77772}}}}]})",
                                  &known);
  for (const char* hidden : {"P1", "P2", "P3", "P4", "7777"})
    EXPECT_EQ(made.find(hidden), std::string::npos) << made;
  EXPECT_NE(made.find("seen"), std::string::npos);
  const std::string rows = rows_of(made, &known);
  EXPECT_NE(rows.find(R"("kind":"sensitive","key":"inner","action":"update")"), std::string::npos)
      << rows;
}

TEST(MaskedPlan, HidesValuesThatAreSensitiveElsewhereInThePlan) {
  const std::string made = masked(R"({"format_version":"1.2","resource_changes":[
    {"address":"t.x","change":{"actions":["update"],"before":null,
      "after":{"input":{"password":"hunter2!","size":"small"},"copy":"hunter2!","short":"ab"},
      "after_sensitive":{"input":{"password":true,"size":true},"tiny":true}}},
    {"address":"t.y","change":{"actions":["update"],"before":null,
      "after":{"output":["hunter2!"],"size":"small"}}}],
    "output_changes":{"o":{"actions":["create"],"before":null,"after":{"p":"hunter2!"}}}})",
                                  nullptr);
  EXPECT_EQ(made.find("hunter2"), std::string::npos) << made;
  // Five characters stand everywhere.
  EXPECT_NE(made.find(R"("size":"small")"), std::string::npos) << made;
}

TEST(MaskedPlan, HidesNamesBelowASensitivePlaceWhereverTheyStand) {
  const std::string made = masked(R"({"format_version":"1.2","resource_changes":[
    {"address":"t.x","change":{"actions":["update"],"before":{"m":{"PLANTED-a":"1"},"n":{"seen":"1"}},
      "after":{"m":{"PLANTED-a":"2"},"n":{"seen":"2"}},
      "after_unknown":{"m":{"PLANTED-b":true},"n":{"seen":true}},
      "before_sensitive":{"m":true},"after_sensitive":{"m":{"PLANTED-a":true}},
      "replace_paths":[["m","PLANTED-a"],["n","seen"]]}}]})",
                                  nullptr);
  EXPECT_EQ(made.find("PLANTED"), std::string::npos) << made;
  for (const char* shown :
       {R"x("replace_paths":[["m","(sensitive name 1)"],["n","seen"]])x",
        R"x("after_unknown":{"m":{"(sensitive name 2)":true},"n":{"seen":true}})x",
        R"x("after_sensitive":{"m":{"(sensitive name 1)":true}})x"})
    EXPECT_NE(made.find(shown), std::string::npos) << shown << "\n" << made;
}

TEST(MaskedPlan, HasOneChangeALine) {
  const std::string made = masked(
      R"({"format_version":"1.2","terraform_version":"1.12.6","resource_changes":[
        {"address":"t.x","change":{"actions":["create"],"before":null,"after":{"a":"l\nm"}}},
        {"address":"t.y","change":{"actions":["create"],"before":null,"after":{"a":1.50}}}],
        "relevant_attributes":[{"resource":"t.x","attribute":["a"]}]})",
      nullptr);
  EXPECT_EQ(made, R"({"format_version":"1.2","terraform_version":"1.12.6","masked":true,
"resource_changes":[
{"address":"t.x","change":{"actions":["create"],"before":null,"after":{"a":"l\nm"}}},
{"address":"t.y","change":{"actions":["create"],"before":null,"after":{"a":1.50}}}
],
"relevant_attributes":[{"resource":"t.x","attribute":["a"]}]
}
)");
}

TEST(MaskedPlan, FailuresNameThePathAndNoValue) {
  const std::string made = masked(
      R"({"format_version":"1.2","resource_changes":[{"address":"t.x","change":{"actions":"PLANTED"}}]})",
      nullptr);
  EXPECT_EQ(made, "resource_changes[0].change.actions is not an array of strings");
}

// ---- types ----------------------------------------------------------------------------------

TEST(TypesOf, AreThoseOfThePlanWhateverTheRegistry) {
  const auto plan = plan::read(
      R"({"format_version":"1.2","resource_changes":[{"address":"a_b.x","type":"a_b",
      "provider_name":"registry.terraform.io/acme/a","change":{"actions":["create"]}}],
      "resource_drift":[{"address":"c_d.x","type":"c_d",
      "provider_name":"example.com/acme/c","change":{"actions":["update"]}}]})");
  ASSERT_TRUE(plan);
  const auto asks = diff::types_of(*plan);
  ASSERT_TRUE(asks);
  using schema::section;
  EXPECT_TRUE((*asks)({"registry.opentofu.org/acme/a", section::resource, "a_b"}));
  EXPECT_TRUE((*asks)({"example.com/acme/c", section::resource, "c_d"}));
  EXPECT_TRUE((*asks)({"a", section::resource, "a_b"}));
  EXPECT_FALSE((*asks)({"registry.opentofu.org/acme/a", section::resource, "c_d"}));
  EXPECT_FALSE((*asks)({"registry.opentofu.org/acme/a", section::provider, ""}));
  EXPECT_FALSE((*asks)({"registry.opentofu.org/other/a", section::resource, "a_b"}));
}

}  // namespace
}  // namespace tofud::attachments
