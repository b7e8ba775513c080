#include "protocol/recover/held_state.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::recover {
namespace {

std::string why_not(std::string_view text) {
  const auto state = read_held_state(text);
  return state ? "" : state.error().text();
}

feed::resource_row row_at(std::string_view module, std::string_view type, std::string_view name,
                          std::string_view index) {
  feed::resource_row row;
  row.names = feed::resource_names::of(row.addr, {module, "managed", type, name, index, ""});
  return row;
}

// The ids at an address, deposed ones with their key.
std::string ids_at(const held_state& state, const feed::resource_row& row) {
  std::string ids;
  for (const held_object& each : state.at(row)) {
    ids += (ids.empty() ? "" : " ") + each.id;
    if (!each.deposed.empty()) ids += "(" + each.deposed + ")";
  }
  return ids;
}

constexpr std::string_view state_file =
    R"({"version":4,"terraform_version":"1.12.6","serial":7,"lineage":"ab-12","outputs":{},"resources":[)"
    R"({"mode":"data","type":"t","name":"d","instances":[{"attributes":{"id":"0"}}]},)"
    R"({"mode":"managed","type":"t","name":"one","instances":[{"attributes":{"id":"1","x":{"id":9}}}]},)"
    R"({"module":"module.m[\"x.y\"]","mode":"managed","type":"t","name":"many","instances":[)"
    R"({"index_key":0,"attributes":{"id":"2"}},{"index_key":0,"deposed":"1f","attributes":{"id":"3"}},)"
    R"({"index_key":"a\"<","status":"tainted","attributes":{"id":"4","name":"n"}}]}],"check_results":null})";

TEST(HeldState, StateFileHasKeysAndDeposedObjects) {
  const auto state = read_held_state(state_file);
  ASSERT_TRUE(state) << state.error().text();
  EXPECT_EQ(state->form, state_form::state_file);
  EXPECT_EQ(state->lineage, "ab-12");
  EXPECT_EQ(state->serial, "7");
  EXPECT_EQ(state->size(), 4);
  EXPECT_EQ(ids_at(*state, row_at("", "t", "one", "null")), "1");
  EXPECT_EQ(ids_at(*state, row_at("module.m[\"x.y\"]", "t", "many", "0")), "2 3(1f)");
  EXPECT_EQ(ids_at(*state, row_at("module.m[\"x.y\"]", "t", "many", R"("a\"<")")), "4");
  EXPECT_EQ(ids_at(*state, row_at("", "t", "many", "0")), "");
  EXPECT_EQ(ids_at(*state, row_at("", "t", "d", "null")), "");
  EXPECT_TRUE(state->has("t", "n"));
  EXPECT_FALSE(state->has("t", "0"));
}

TEST(HeldState, ShowOutputGivesTheSame) {
  const auto state = read_held_state(
      R"({"format_version":"1.0","values":{"root_module":{"resources":[)"
      R"({"address":"t.one","mode":"managed","type":"t","name":"one","values":{"id":"1"}},)"
      R"({"address":"data.t.d","mode":"data","type":"t","name":"d","values":{"id":"0"}}],)"
      R"("child_modules":[{"address":"module.m[\"x.y\"]","resources":[)"
      R"({"address":"module.m[\"x.y\"].t.many[0]","mode":"managed","type":"t","name":"many","index":0,)"
      R"("deposed_key":"1f","values":{"id":"3"}}]}]}}})");
  ASSERT_TRUE(state) << state.error().text();
  EXPECT_EQ(state->form, state_form::shown);
  EXPECT_EQ(state->size(), 2);
  EXPECT_EQ(ids_at(*state, row_at("", "t", "one", "null")), "1");
  EXPECT_EQ(ids_at(*state, row_at("module.m[\"x.y\"]", "t", "many", "0")), "3(1f)");
}

TEST(HeldState, MissingStateIsEmpty) {
  for (const std::string_view text : {"", "\n", " \t\r\n"}) {
    const auto state = read_held_state(text);
    ASSERT_TRUE(state);
    EXPECT_EQ(state->form, state_form::empty);
    EXPECT_EQ(state->size(), 0);
  }
  const auto shown = read_held_state(R"({"format_version":"1.0"})");
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->form, state_form::shown);
}

TEST(HeldState, AnotherDocumentIsRefusedWithAHint) {
  const std::string give = "; give the output of `tofu show -json` for the state";
  EXPECT_EQ(why_not(R"({"serial":1,"lineage":"a","meta":{},"encrypted_data":"n9T9"})"),
            "it is encrypted, and only OpenTofu has the key" + give);
  EXPECT_EQ(why_not(R"({"version":3,"serial":1,"lineage":"a","modules":[]})"),
            "it is a state file of version 3, not 4" + give);
  EXPECT_EQ(why_not(R"({"format_version":"1.2","resource_changes":[]})"), "it is a plan" + give);
  EXPECT_EQ(why_not(R"({"a":1})"), "it is not a state" + give);
  EXPECT_EQ(why_not(state_file.substr(0, state_file.size() / 2)),
            "it is truncated or not a JSON object; there may be a backup beside it");
}

TEST(HeldState, AnErrorNamesItsPlace) {
  EXPECT_EQ(why_not(R"({"version":4,"serial":1,"lineage":"a","resources":{}})"),
            "resources is not an array");
  EXPECT_EQ(why_not(R"({"version":4,"serial":1,"lineage":"a","resources":[{"mode":"managed",)"
                    R"("instances":[{},{"attributes":oops}]}]})"),
            "resources[0] is invalid JSON");
  EXPECT_EQ(why_not(R"({"version":4,"serial":1,"lineage":"a","resources":[{"mode":"managed",)"
                    R"("instances":7}]})"),
            "resources[0].instances is not an array");
}

}  // namespace
}  // namespace tofud::recover
