#include "protocol/diff/markdown.hpp"

#include "protocol/diff/diff_fence.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/text/limits.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tofud::diff {
namespace {

namespace fs = std::filesystem;

std::string comment_of(std::string_view json, const plan_drawing& wanted = {},
                       std::size_t room = limits::markdown_plan_characters) {
  const auto plan = plan::read(json);
  EXPECT_TRUE(plan);
  std::string made;
  if (plan) {
    EXPECT_TRUE(draw_markdown(*plan, wanted, made, room));
  }
  return made;
}

std::string entry(const std::string& name, const std::string& actions, const std::string& more = "",
                  const std::string& value = "v") {
  std::string address, quoted;
  json::append_quoted(address, "t." + name);
  json::append_quoted(quoted, value);
  const bool before =
      actions.find("create") == std::string::npos || actions.find(',') != actions.npos;
  return R"({"address":)" + address +
         R"(,"mode":"managed","type":"t","name":"n","provider_name":"p")" + more +
         R"(,"change":{"actions":[)" + actions + R"(],"before":)" +
         (before ? R"({"a":"old"})" : "null") + R"(,"after":)" +
         (actions == R"("delete")" ? "null" : R"({"a":)" + quoted + "}") + "}}";
}

std::string plan_of(const std::string& changes, const std::string& more = "") {
  return R"({"format_version":"1.2","resource_changes":[)" + changes + "]" + more + "}";
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

TEST(MarkdownPlan, DestroyedResourcesComeFirstAndEachChangeFolds) {
  const std::string plan = plan_of(
      entry("new", R"("create")") + "," + entry("changed", R"("update")") + "," +
          entry("gone", R"("delete")") + "," + entry("renewed", R"("delete","create")") + "," +
          entry("moved", R"("no-op")", R"(,"previous_address":"t.before")"),
      R"(,"output_changes":{"o":{"actions":["create"],"before":null,"after":1,"after_unknown":false}})");
  EXPECT_EQ(comment_of(plan), R"(### ⚠️ Plan: 2 to add, 1 to change, 2 to destroy

**1 will be destroyed, 1 will be replaced**

<details><summary><code>-</code> <code>t&#46;gone</code> destroy</summary>

```diff
# t.gone will be destroyed
- resource "t" "n" {
-     a = "old" -> null
  }
```

</details>

<details><summary><code>-/+</code> <code>t&#46;renewed</code> replace</summary>

```diff
# t.renewed must be replaced
! resource "t" "n" {
!     a = "old" -> "v"
  }
```

</details>

<details><summary><code>&#126;</code> <code>t&#46;changed</code> update</summary>

```diff
# t.changed will be updated in-place
! resource "t" "n" {
!     a = "old" -> "v"
  }
```

</details>

<details><summary><code>+</code> <code>t&#46;new</code> create</summary>

```diff
# t.new will be created
+ resource "t" "n" {
+     a = "v"
  }
```

</details>

- `t.moved` moved from `t.before`

<details><summary>Changes to outputs</summary>

```diff
+ o = 1
```

</details>

)");
}

TEST(MarkdownPlan, PlanWithoutChangesSaysSo) {
  EXPECT_EQ(comment_of(plan_of("")), "### Plan: no changes\n\n");
  EXPECT_EQ(comment_of(plan_of("", R"(,"errored":true)")),
            "### ❌ Planning failed. Plan: no changes\n\n");
}

TEST(MarkdownPlan, ShowsDriftAndFailedChecks) {
  const std::string made = comment_of(
      plan_of(entry("a", R"("create")"),
              R"(,"resource_drift":[)" + entry("b", R"("update")") +
                  R"(],"relevant_attributes":[{"resource":"t.b","attribute":["a"]}],"checks":[
          {"address":{"kind":"check","to_display":"check.up"},"status":"fail","instances":[
          {"address":{"to_display":"check.up"},"status":"fail","problems":[{"message":"It is @down."}]}]},
          {"address":{"kind":"check","to_display":"check.fine"},"status":"pass"}])"));
  EXPECT_NE(made.find("\n**Changed outside of OpenTofu**\n\n<details>"), std::string::npos) << made;
  EXPECT_NE(made.find("# t.b has changed\n"), std::string::npos) << made;
  EXPECT_NE(made.find("\n**Checks**\n\n- `check.up` fails: `It is @down.`\n"), std::string::npos)
      << made;
  EXPECT_EQ(made.find("check.fine"), std::string::npos);
}

TEST(MarkdownPlan, TextsOfThePlanAreNoMarkup) {
  const std::string hostile =
      "n[\"</code></details>`|<img src=x> @all #1 https://evil\n```\n- x\"]";
  const std::string made = comment_of(
      plan_of(entry(hostile, R"("create")", "", "a\n```\n</details>\n- gone\n\r+ in\x1b[31m")));
  EXPECT_EQ(count(made, "\n````diff\n"), 1) << made;
  EXPECT_EQ(count(made, "\n````\n"), 1) << made;
  // In the summary everything is escaped, in the fence no line begins with what is not ours.
  EXPECT_EQ(count(made.substr(0, made.find("````")), "</code></details>"), 0) << made;
  EXPECT_EQ(count(made, "\n</details>"), 1) << made;
  EXPECT_EQ(count(made, "\n- "), 0) << made;
  EXPECT_EQ(count(made, "\n+ "), 2) << made;
  EXPECT_EQ(made.find('\x1b'), std::string::npos);
}

TEST(MarkdownPlan, HidesIdsOfImports) {
  const std::string made = comment_of(plan_of(
      R"({"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":
         {"actions":["update"],"before":{"a":"1"},"after":{"a":"2"},"importing":{"id":"the-id"}}})"));
  EXPECT_NE(made.find("</code> update, imported</summary>"), std::string::npos) << made;
  EXPECT_EQ(made.find("the-id"), std::string::npos) << made;
}

std::string large(std::size_t creates) {
  std::string changes;
  for (std::size_t i = 0; i < creates; ++i)
    changes += entry("a_name_of_some_length[" + std::to_string(i) + "]", R"("create")") + ",";
  return plan_of(changes + entry("gone", R"("delete")") + "," + entry("edited", R"("update")"));
}

TEST(MarkdownPlan, FoldsAsManyAsHaveRoomAndListsTheOthers) {
  const std::string made = comment_of(large(600));
  EXPECT_LE(made.size(), limits::markdown_plan_characters);
  EXPECT_NE(made.find("# t.gone will be destroyed\n"), std::string::npos);
  const std::size_t folds = count(made, "<details>"), listed = count(made, "\n- `+` `t.");
  EXPECT_GT(folds, 50U);
  EXPECT_EQ(folds + listed, 602U);
  EXPECT_EQ(made.find("more resources"), std::string::npos);
}

TEST(MarkdownPlan, ChangesThatCannotBeListedAreCounted) {
  const std::string made = comment_of(large(20'000));
  EXPECT_LE(made.size(), limits::markdown_plan_characters);
  EXPECT_GT(made.size(), limits::markdown_plan_characters - 1'000);
  const std::size_t listed = count(made, "\n- `+` `t.");
  EXPECT_GT(listed, 1'000U);
  const std::string left = std::to_string(20'000 - listed);
  EXPECT_NE(made.find("\n… and " + left.substr(0, 2) + "," + left.substr(2) +
                      " more resources: " + left.substr(0, 2) + "," + left.substr(2) + " create\n"),
            std::string::npos)
      << made.substr(made.size() - 200);
  // What is lost is shown all the same.
  EXPECT_NE(made.find("# t.gone will be destroyed\n"), std::string::npos);
  EXPECT_NE(made.find("# t.edited will be updated in-place\n"), std::string::npos);
}

TEST(MarkdownPlan, FitsIntoAnyRoom) {
  const std::string plan = large(300);
  for (std::size_t room = 1'000; room < 60'000; room += 997)
    EXPECT_LE(comment_of(plan, {}, room).size(), room);
}

TEST(MarkdownPlan, OneHugeChangeLeavesRoomForOthers) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "line " + std::to_string(i) + "\n";
  const std::string made =
      comment_of(plan_of(entry("a", R"("create")", "", text) + "," +
                         entry("b", R"("create")", "", std::string(9'999, 'x'))));
  EXPECT_LE(made.size(), limits::markdown_change_bytes + 2'000);
  EXPECT_NE(made.find(" more lines\n```\n"), std::string::npos);
  EXPECT_NE(made.find("xxx…\n"), std::string::npos);
}

// Tags and fences come in pairs, line by line.
void expect_whole(const std::string& made, const std::string& name) {
  EXPECT_LE(made.size(), limits::markdown_plan_characters) << name;
  bool open = false;
  std::string fence;
  std::string_view rest = made;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (!fence.empty()) {
      if (line == fence) fence.clear();
      continue;
    }
    if (line.starts_with("```")) {
      EXPECT_TRUE(open) << name;
      fence = line.substr(0, line.find('d'));
    } else if (line.starts_with("<details>")) {
      EXPECT_FALSE(open) << name;
      open = true;
    } else if (line == "</details>") {
      EXPECT_TRUE(open) << name;
      open = false;
    }
  }
  EXPECT_FALSE(open) << name;
  EXPECT_TRUE(fence.empty()) << name;
}

TEST(MarkdownPlan, RecordedPlansAreWholeAndFit) {
  std::size_t plans = 0;
  for (const auto& file : fs::recursive_directory_iterator{TEST_RECORDINGS}) {
    const std::string path = file.path().string();
    if (!path.ends_with("plan.json") && !path.ends_with("plan.json.gz")) continue;
    const std::string text = test::unpacked(path);
    if (!plan::read(text)) continue;
    expect_whole(comment_of(text), path);
    ++plans;
  }
  EXPECT_GT(plans, 30U);
}

TEST(MarkdownPlan, GoldenPlansAreWholeAndFit) {
  for (const char* file : {"plan-render.jsonl.gz", "plan-render-rules.jsonl.gz",
                           "plan-render-random.jsonl.gz", "plan-render-wide.jsonl.gz"}) {
    test::for_each_case(std::string{TEST_GOLDEN} + "/" + file, [&](const test::golden_case& each) {
      auto parser = test::whole_document();
      EXPECT_FALSE(parser.parse(each.raw("schemas")));
      const auto schemas = schema::read_provider_schemas(parser.root());
      ASSERT_TRUE(schemas);
      plan_drawing wanted;
      wanted.known.schemas = &*schemas;
      expect_whole(comment_of(each.raw("plan"), wanted), each.string("name"));
    });
  }
}

TEST(DiffFence, FindsSignsByTheirColourAlone) {
  EXPECT_EQ(diff_fence("\x1b[0m  \x1b[33m~\x1b[0m\x1b[0m a = 1\n"
                       "      \x1b[32m+\x1b[0m\x1b[0m b = 2\n"
                       "        - c\n"
                       "    }",
                       1000),
            "```diff\n! a = 1\n+     b = 2\n      - c\n  }\n```\n");
}

TEST(DiffFence, CountsTheLinesThatItLeavesOut) {
  EXPECT_EQ(diff_fence("    a\n    b\n    c", 4), "```diff\n  a\n… and 2 more lines\n```\n");
}

}  // namespace
}  // namespace tofud::diff
