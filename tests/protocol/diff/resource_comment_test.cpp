#include "protocol/diff/resource_comment.hpp"

#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::diff {
namespace {

// What is said above a resource; `members` stand beside its address, `change` in its change.
std::string comment(const std::string& actions, const std::string& members,
                    const std::string& change = "", cause why = cause::planned) {
  const std::string text = R"({"address":"m.t.n","mode":"managed","type":"t","name":"n")" +
                           (members.empty() ? "" : "," + members) + R"(,"change":{"actions":)" +
                           actions + (change.empty() ? "" : "," + change) + "}}";
  auto parser = test::whole_document();
  EXPECT_FALSE(parser.parse(text));
  const auto about = plan::read_resource_change(parser.root(), "");
  if (!about) return about.error().text();
  const text::ink pen{text::ink::colours::no};
  return comment_of(*about, why, drawer{pen, {}, {}}, pen);
}

constexpr const char* left_over =
    "  # (left over from a partially-failed replacement of this instance)\n";

TEST(ResourceComment, NamesTheAction) {
  EXPECT_EQ(comment(R"(["create"])", ""), "  # m.t.n will be created\n");
  EXPECT_EQ(comment(R"(["read"])", ""), "  # m.t.n will be read during apply\n");
  EXPECT_EQ(comment(R"(["update"])", ""), "  # m.t.n will be updated in-place\n");
  EXPECT_EQ(comment(R"(["update"])", "", "", cause::drift), "  # m.t.n has changed\n");
  EXPECT_EQ(comment(R"(["delete"])", ""), "  # m.t.n will be destroyed\n");
  EXPECT_EQ(comment(R"(["delete"])", "", "", cause::drift), "  # m.t.n has been deleted\n");
  EXPECT_EQ(comment(R"(["create","delete"])", ""), "  # m.t.n must be replaced\n");
}

TEST(ResourceComment, HasTheReasonForRemoval) {
  const auto because = [](const std::string& reason, const std::string& members = "") {
    const std::string text =
        comment(R"(["delete"])", R"("action_reason":"delete_because_)" + reason + "\"" + members);
    return text.substr(text.find('\n') + 1);
  };
  EXPECT_EQ(because("no_resource_config"), "  # (because t.n is not in configuration)\n");
  EXPECT_EQ(because("no_resource_config", R"(,"mode":"data")"),
            "  # (because t.n is not in configuration)\n");
  EXPECT_EQ(because("no_module", R"(,"module_address":"module.m[0]")"),
            "  # (because module.m[0] is not in configuration)\n");
  EXPECT_EQ(because("no_move_target", R"(,"previous_address":"t.o")"),
            "  # (because t.o was moved to m.t.n, which is not in configuration)\n"
            "  # (moved from t.o)\n");
  EXPECT_EQ(because("wrong_repetition"), "  # (because resource uses count or for_each)\n");
  EXPECT_EQ(because("wrong_repetition", R"(,"index":0)"),
            "  # (because resource does not use count)\n");
  EXPECT_EQ(because("wrong_repetition", R"(,"index":"k")"),
            "  # (because resource does not use for_each)\n");
  EXPECT_EQ(because("count_index", R"(,"index":2)"),
            "  # (because index [2] is out of range for count)\n");
  EXPECT_EQ(because("each_key", R"(,"index":"a\"é<")"),
            "  # (because key [\"a\\\"é\\u003c\"] is not in for_each map)\n");
  EXPECT_EQ(because("enabled_false"), "  # (because enabled is false)\n");
  EXPECT_EQ(because("later_than_this_tofud"), "");
}

TEST(ResourceComment, HasTheReasonForForgetting) {
  const std::string forgotten =
      "  # m.t.n will be removed from the OpenTofu state but will not be destroyed";
  EXPECT_EQ(comment(R"(["forget"])", ""), forgotten + "\n");
  EXPECT_EQ(
      comment(R"(["forget"])", R"("action_reason":"forgot_because_lifecycle_destroy_in_state")"),
      forgotten +
          " \n (because lifecycle.destroy = false was configured before this resource was "
          "removed from the configuration)\n");
  EXPECT_EQ(
      comment(R"(["forget"])", R"("action_reason":"forgot_because_lifecycle_destroy_in_config")"),
      forgotten + " \n (because lifecycle.destroy = false is set in the configuration)\n");
}

TEST(ResourceComment, DeposedObjectNamesItsOrigin) {
  const std::string deposed = R"("deposed":"0a1b")";
  EXPECT_EQ(comment(R"(["delete"])", deposed),
            std::string{"  # m.t.n (deposed object 0a1b) will be destroyed\n"} + left_over);
  EXPECT_EQ(
      comment(R"(["forget","create"])", deposed),
      std::string{"  # m.t.n (deposed object 0a1b) must be replaced - older instance will not be "
                  "destroyed (lifecycle.destroy = false)\n"} +
          left_over);
  EXPECT_EQ(comment(R"(["update"])", deposed),
            "  # m.t.n (deposed object 0a1b) will be updated in-place\n");
  EXPECT_EQ(comment(R"(["no-op"])", deposed + R"(,"previous_address":"t.o")"),
            "  # t.o has moved to m.t.n (deposed object 0a1b)\n");
}

TEST(ResourceComment, ImportNamesItsId) {
  const auto imported = [](const std::string& by, const std::string& more = "") {
    return comment(R"(["no-op"])", "", R"("importing":)" + by + more);
  };
  const std::string headline = "  # m.t.n will be imported\n";
  EXPECT_EQ(imported(R"({"id":"x y"})"), headline + "  # (imported from \"x y\")\n");
  EXPECT_EQ(imported(R"({"id":"x"})", R"(,"generated_config":"c")"),
            headline + "  # (config will be generated)\n  # (imported from \"x\")\n");
  EXPECT_EQ(imported(R"({"unknown":true})"), headline + "  # (will be imported first)\n");
  EXPECT_EQ(imported("{}"), headline + "  # (will be imported first)\n");
  EXPECT_EQ(imported(R"({"identity":{"id":"y","in":{"n":[1.50,true],"e":{},"f":[]}}})"),
            headline +
                "  # imported using resource identity: {\n"
                "  #   \"id\": \"y\",\n  #   \"in\": {\n  #     \"n\": [\n"
                "  #       1.50,\n  #       true\n  #     ],\n  #     \"e\": {},\n"
                "  #     \"f\": []\n  #   }\n  # }\n");
}

TEST(ResourceComment, AnImportWithChangesHasBoth) {
  const std::string by = R"("importing":{"id":"x"},"generated_config":"c")";
  const std::string from = "  # (imported from \"x\")\n";
  const std::string lost = "  # Warning: this will destroy the imported resource\n";
  EXPECT_EQ(comment(R"(["update"])", R"("previous_address":"t.o")", by),
            "  # m.t.n will be updated in-place\n  # (moved from t.o)\n" + from);
  EXPECT_EQ(comment(R"(["delete","create"])", "", by),
            "  # m.t.n must be replaced\n" + from + lost);
  EXPECT_EQ(comment(R"(["create","delete"])", "", by),
            "  # m.t.n must be replaced\n" + from + lost);
  EXPECT_EQ(
      comment(R"(["forget","create"])", "", by),
      "  # m.t.n must be replaced - older instance will not be destroyed (lifecycle.destroy = "
      "false)\n" +
          from);
}

}  // namespace
}  // namespace tofud::diff
