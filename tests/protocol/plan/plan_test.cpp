#include "protocol/plan/plan.hpp"

#include "protocol/plan/document_kind.hpp"
#include "protocol/plan/resource_change.hpp"
#include "protocol/plan/state.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::plan {
namespace {

std::string why_not(std::string_view text) {
  const auto plan = read(text);
  return plan ? "" : plan.error().text();
}

TEST(Plan, HasItsPartsAsText) {
  const auto plan = read(
      R"({"format_version":"1.2","terraform_version":"1.12.6","errored":true,"a new member":[],)"
      R"("resource_changes":[{"address":"a.b"},{}],"output_changes":{"o":{}}})");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->terraform_version, "1.12.6");
  EXPECT_TRUE(plan->errored);
  ASSERT_EQ(plan->resource_changes.size(), 2);
  EXPECT_EQ(plan->resource_changes[0], R"({"address":"a.b"})");
  EXPECT_EQ(plan->output_changes, R"({"o":{}})");
  EXPECT_TRUE(plan->configuration.empty());
}

TEST(Plan, AnyMinorVersionIsRead) {
  EXPECT_EQ(why_not(R"({"format_version":"1.99"})"), "");
  EXPECT_EQ(why_not(R"({"format_version":"1"})"), "");
}

TEST(Plan, AnotherMajorVersionIsRefusedWithAHint) {
  for (const char* version : {"2.0", "0.2", "10.1", "x"}) {
    EXPECT_EQ(why_not(std::string{R"({"format_version":")"} + version + "\"}"),
              std::string{"format_version is "} + version +
                  ", but this tofud knows only 1: use a newer tofud, or `tofu show` of the version "
                  "that wrote it");
  }
  EXPECT_EQ(
      why_not("{}"),
      "format_version is missing: this is not the output of `tofu show -json` for a plan or state");
}

TEST(Plan, AnErrorNamesItsPath) {
  EXPECT_EQ(why_not("[1"), "the document is not a JSON object");
  EXPECT_EQ(why_not(R"({"format_version":"1.2","resource_drift":{}})"),
            "resource_drift is not an array");
  EXPECT_EQ(why_not(R"({"format_version":"1.0","values":{}})"),
            "values belongs to a state, not to a plan");
  part parsed;
  const auto wrong = parsed.parse("{nope}", "resource_changes[7]");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->text(), "resource_changes[7] is invalid JSON");
}

TEST(ResourceChange, HasItsFieldsAndActions) {
  part parsed;
  ASSERT_FALSE(parsed.parse(
      R"({"address":"m.a.b[\"k\"]","mode":"managed","type":"a","name":"b","index":"k",)"
      R"("deposed":"0a","action_reason":"replace_because_tainted","change":)"
      R"({"actions":["create","delete"],"before":{"n":1.50},"after":null,"importing":null}})",
      ""));
  const auto read = read_resource_change(parsed.root(), "resource_changes[0]");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->address, "m.a.b[\"k\"]");
  EXPECT_EQ(read->deposed, "0a");
  EXPECT_EQ(read->index.text(), "k");
  EXPECT_EQ(read->change.action, planned_action::create_then_remove);
  EXPECT_EQ(read->change.before["n"].text(), "1.50");
  EXPECT_FALSE(read->change.importing);
}

TEST(ResourceChange, ActionsOfANewerOpenTofuAreUnknown) {
  part parsed;
  ASSERT_FALSE(parsed.parse(R"({"actions":["create","dance"]})", ""));
  const auto change = read_change(parsed.root(), "x");
  ASSERT_TRUE(change);
  EXPECT_EQ(change->action, planned_action::unknown);
}

TEST(State, HasModulesInModules) {
  const auto state =
      read_state(R"({"format_version":"1.0","values":{"root_module":{"resources":[{}],)"
                 R"("child_modules":[{"address":"module.a","resources":[{},{}]}]}}})");
  ASSERT_TRUE(state);
  const auto root = read_state_module(state->root_module, "values.root_module");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->resources.size(), 1);
  const auto child = read_state_module(root->child_modules.at(0), "");
  ASSERT_TRUE(child);
  EXPECT_EQ(child->address, "module.a");
  EXPECT_EQ(child->resources.size(), 2);
}

TEST(DocumentKind, IsKnownByItsMembers) {
  EXPECT_EQ(kind_of(R"({"format_version":"1.2","planned_values":{}})"), document_kind::plan);
  EXPECT_EQ(kind_of(R"({"format_version":"1.0"})"), document_kind::state);
  EXPECT_EQ(kind_of(R"({"version":4,"lineage":"","serial":1})"), document_kind::state_file);
  EXPECT_EQ(kind_of(R"({"format_version":"1.0","provider_schemas":{}})"),
            document_kind::provider_schemas);
  EXPECT_EQ(kind_of("{\"@level\":\"info\"}\n{\"@level\":\"info\"}\n"), document_kind::stream);
  EXPECT_EQ(kind_of("{}"), document_kind::other);
  EXPECT_EQ(kind_of("PK\x03\x04"), document_kind::other);
}

}  // namespace
}  // namespace tofud::plan
