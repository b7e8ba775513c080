#include "protocol/diff/plan_text.hpp"

#include "protocol/schema/provider_schemas.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tofud::diff {
namespace {

plan_mode mode_named(const std::string& name) {
  if (name == "destroy") return plan_mode::destroy;
  return name == "refresh-only" ? plan_mode::refresh_only : plan_mode::normal;
}

std::string drawn(std::string_view plan, const plan_drawing& wanted) {
  const auto document = plan::read(plan);
  if (!document) return document.error().text();
  std::string text;
  const auto done = draw(*document, wanted, [&](std::string_view piece) { text.append(piece); });
  return done ? text : done.error().text();
}

// How many cases a file has; each is drawn as OpenTofu drew it.
std::size_t drawn_like_opentofu(const std::string& file) {
  std::size_t cases = 0;
  test::for_each_case(std::string{TEST_GOLDEN} + "/" + file, [&](const test::golden_case& each) {
    ++cases;
    auto parser = test::whole_document();
    EXPECT_FALSE(parser.parse(each.raw("schemas")));
    const auto schemas = schema::read_provider_schemas(parser.root());
    ASSERT_TRUE(schemas) << each.string("name");
    plan_drawing wanted;
    wanted.known.schemas = &*schemas;
    wanted.mode = mode_named(each.string("mode"));
    EXPECT_EQ(drawn(each.raw("plan"), wanted), each.string("human")) << each.string("name");
    wanted.colours = text::ink::colours::yes;
    EXPECT_EQ(drawn(each.raw("plan"), wanted), each.string("human_color")) << each.string("name");
  });
  return cases;
}

TEST(PlanText, CasesOfOpenTofuComeOutTheSame) {
  EXPECT_EQ(drawn_like_opentofu("plan-render.jsonl.gz"), 95);
}

TEST(PlanText, RandomPlansComeOutTheSame) {
  EXPECT_EQ(drawn_like_opentofu("plan-render-random.jsonl.gz"), 600);
}

TEST(PlanText, DriftModesAndWriteOnlyAttributesComeOutTheSame) {
  EXPECT_EQ(drawn_like_opentofu("plan-render-wide.jsonl.gz"), 300);
}

TEST(PlanText, RareCasesComeOutTheSame) {
  EXPECT_EQ(drawn_like_opentofu("plan-render-rules.jsonl.gz"), 400);
}

const std::string rule = [] {
  std::string line = "\n";
  for (int i = 0; i < 77; ++i) line += "─";
  return line + "\n";
}();

// Nothing to show but the drift of a data source that goes: so it is told, and no change is.
std::string only_drift(const std::string& more, plan_mode mode) {
  plan_drawing wanted;
  wanted.mode = mode;
  const std::string gone =
      R"({"address":"data.t.n","mode":"data","type":"t","name":"n","provider_name":"p","change":)"
      R"({"actions":["delete"],"before":{"a":1},"after":null}})";
  const std::string text = drawn(
      R"({"format_version":"1.2","resource_changes":[)" + gone + R"(],"resource_drift":[)" + gone +
          R"(],"relevant_attributes":[{"resource":"data.t.n","attribute":[]}])" + more + "}",
      wanted);
  return text.substr(std::min(text.find(rule), text.size()));
}

TEST(PlanText, NotesAfterDriftStandBetweenRules) {
  EXPECT_EQ(only_drift(R"(,"errored":true)", plan_mode::normal),
            rule +
                "\nPlanning failed. OpenTofu encountered an error while generating this plan.\n\n" +
                rule);
  EXPECT_EQ(only_drift("", plan_mode::destroy),
            rule +
                "\nNo changes. No objects need to be destroyed.\n\n"
                "Either you have not created any objects yet or the existing objects were\n"
                "already deleted outside of OpenTofu.\n" +
                rule);
  EXPECT_EQ(only_drift("", plan_mode::refresh_only), "");
}

TEST(PlanText, DriftWithoutAnActionHasItsNote) {
  const std::string told =
      rule + "\nNo changes. Your infrastructure matches the configuration.\n\n";
  EXPECT_EQ(only_drift("", plan_mode::normal),
            told +
                "Your configuration already matches the changes detected above, so applying\n"
                "this plan will only update the state to include the changes detected above\n"
                "and won't change any real infrastructure.\n");
  EXPECT_EQ(only_drift(R"(,"applyable":false)", plan_mode::normal),
            told +
                "Your configuration already matches the changes detected above. If you'd like\n"
                "to update the Terraform state to match, create and apply a refresh-only plan:\n"
                "  terraform apply -refresh-only\n");
}

}  // namespace
}  // namespace tofud::diff
