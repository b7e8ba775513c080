#include "protocol/schema/breaking.hpp"

#include "protocol/schema/affected.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/schema/specification.hpp"
#include "tests/protocol/schema/read_golden.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::schema {
namespace {

schemas of_providers(const std::string& provider) {
  const parsed document{R"({"format_version":"1.0","provider_schemas":{)" + provider + "}}"};
  auto read = read_provider_schemas(document.root());
  EXPECT_TRUE(read) << (read ? "" : read.error().text());
  return read ? *read : schemas{};
}

// A provider with a resource `acme_vm`, of which these are the attributes and blocks.
schemas of_block(const std::string& attributes, const std::string& blocks = "",
                 const std::string& version = "1") {
  return of_providers(
      R"("registry.opentofu.org/acme/acme":{"resource_schemas":{"acme_vm":{"version":)" + version +
      R"(,"block":{"attributes":{)" + attributes + R"(},"block_types":{)" + blocks + "}}}}}");
}

// Lines such as "port: is removed".
std::vector<std::string> lines_of(const std::vector<breaking_change>& all) {
  std::vector<std::string> lines;
  for (const breaking_change& each : all) {
    const std::string path = path_text(each);
    lines.push_back((path.empty() ? each.type : path) + ": " + sentence(each) + " [" +
                    std::string{name(each.what)} + "]");
  }
  return lines;
}

std::vector<std::string> broken(const schemas& before, const schemas& after) {
  return lines_of(breaking_changes(before, after, {}));
}

using lines = std::vector<std::string>;

TEST(BreakingChanges, EqualSchemasHaveNone) {
  const schemas same = of_block(R"("a":{"type":"string","required":true})");
  EXPECT_EQ(broken(same, same), lines{});
}

struct changed {
  std::string before, after, line;
};

TEST(BreakingChanges, AttributeChangesAreFound) {
  const std::vector<changed> table = {
      {R"("a":{"type":"string","optional":true})", "", "a: is removed [gone]"},
      {"", R"("a":{"type":"string","required":true})", "a: is required now [needed]"},
      {R"("a":{"type":"string","optional":true})", R"("a":{"type":"string","required":true})",
       "a: is required now [needed]"},
      {R"("a":{"type":"string","optional":true})", R"("a":{"type":"string","computed":true})",
       "a: can no longer be set [read_only]"},
      {R"("a":{"type":"string","optional":true,"computed":true})",
       R"("a":{"type":"string","optional":true})",
       "a: is no longer computed: it is null unless it is set [not_computed]"},
      {R"("a":{"type":["list","string"],"optional":true})",
       R"("a":{"type":["set","string"],"optional":true})",
       "a: was list(string) and is set(string) [other_type]"},
      {R"("a":{"type":"string","optional":true})",
       R"("a":{"type":"string","optional":true,"sensitive":true})",
       "a: is sensitive now: outputs that contain it must be sensitive too [sensitive]"},
      {R"("a":{"type":"string","optional":true})",
       R"("a":{"type":"string","optional":true,"write_only":true})",
       "a: is write-only now: no expression can refer to it [write_only]"},
      {R"("a":{"type":"string","optional":true})",
       R"("a":{"type":"string","optional":true,"deprecated":true})",
       "a: is deprecated [deprecated]"},
      {R"("a":{"nested_type":{"nesting_mode":"list","attributes":{"b":{"type":"string","optional":true}}},"optional":true})",
       R"("a":{"nested_type":{"nesting_mode":"set","attributes":{}},"optional":true})",
       "a: was list of objects and is set of objects [other_nesting]"},
  };
  for (const changed& each : table) {
    const lines found = broken(of_block(each.before), of_block(each.after));
    ASSERT_FALSE(found.empty()) << each.line;
    EXPECT_EQ(found.front(), each.line);
  }
}

TEST(BreakingChanges, NestedChangeHasItsPath) {
  const std::string nested =
      R"("a":{"nested_type":{"nesting_mode":"map","attributes":{"b":{"type":"string","optional":true}}},"optional":true})";
  const std::string empty =
      R"("a":{"nested_type":{"nesting_mode":"map","attributes":{}},"optional":true})";
  EXPECT_EQ(broken(of_block(nested), of_block(empty)), lines{"a.b: is removed [gone]"});
}

TEST(BreakingChanges, WiderTypesAndNewOptionalAttributesBreakNothing) {
  const std::vector<changed> harmless = {
      {R"("a":{"type":"string","optional":true})", R"("a":{"type":"dynamic","optional":true})", ""},
      {R"("a":{"type":"string","required":true})", R"("a":{"type":"string","optional":true})", ""},
      {R"("a":{"type":"string","computed":true})",
       R"("a":{"type":"string","optional":true,"computed":true})", ""},
      {"", R"("a":{"type":"string","optional":true})", ""},
      // The same values, however the schema tells their type.
      {R"("a":{"type":["list",["object",{"b":"string"}]],"optional":true})",
       R"("a":{"nested_type":{"nesting_mode":"list","attributes":{"b":{"type":"string","optional":true}}},"optional":true})",
       ""},
  };
  for (const changed& each : harmless)
    EXPECT_EQ(broken(of_block(each.before), of_block(each.after)), lines{}) << each.before;
}

std::string disk(const std::string& members) {
  return R"("disk":{"nesting_mode":"list","block":{"attributes":{"size":{"type":"number","optional":true}}})" +
         members + "}";
}

TEST(BreakingChanges, BlockChangesAreFound) {
  const auto between = [](const std::string& before, const std::string& after) {
    return broken(of_block("", before), of_block("", after));
  };
  EXPECT_EQ(between(disk(""), ""), lines{"disk: is removed [gone]"});
  EXPECT_EQ(between(disk(""), disk(R"(,"min_items":1)")),
            lines{"disk: needs 1 block at least [more_blocks]"});
  EXPECT_EQ(between("", disk(R"(,"min_items":2)")),
            lines{"disk: needs 2 blocks at least [more_blocks]"});
  EXPECT_EQ(between(disk(R"(,"max_items":4)"), disk(R"(,"max_items":1)")),
            lines{"disk: takes 1 block at most, not 4 [fewer_blocks]"});
  EXPECT_EQ(between(disk(""), R"("disk":{"nesting_mode":"set","block":{}})"),
            (lines{"disk: was list of blocks and is set of blocks [other_nesting]",
                   "disk.size: is removed [gone]"}));
  EXPECT_EQ(broken(of_block("", disk("")),
                   of_block(R"("disk":{"type":["list","string"],"optional":true})")),
            lines{"disk: was a block and is an attribute [other_syntax]"});
  EXPECT_EQ(broken(of_block(R"("disk":{"type":["list","string"],"optional":true})"),
                   of_block("", disk(""))),
            lines{"disk: was an attribute and is a block [other_syntax]"});
}

TEST(BreakingChanges, RemovedTypesAndProvidersAreFound) {
  const schemas before = of_block("");
  EXPECT_EQ(broken(before, of_providers(R"("registry.opentofu.org/acme/acme":{})")),
            lines{"acme_vm: is removed [gone]"});
  EXPECT_EQ(broken(before, schemas{}), lines{": is removed [gone]"});
  EXPECT_EQ(broken(of_block("", "", "3"), of_block("", "", "2")),
            lines{"acme_vm: its schema was version 3 and is version 2: states of it can't be read "
                  "[older_version]"});
}

TEST(BreakingChanges, ProvidersOfEitherRegistryAreTheSame) {
  const schemas other = of_providers(
      R"("registry.terraform.io/acme/acme":{"resource_schemas":{"acme_vm":{"version":1,"block":{}}}})");
  EXPECT_EQ(broken(of_block(""), other), lines{});
}

specification specified(const std::string& members) {
  const parsed document{
      R"({"version":"0.1.0","provider":{"name":"acme"},"resources":[{"name":"vm","schema":{"attributes":[{"name":"port","int64":{"computed_optional_required":"optional")" +
      members + "}}]}}]}"};
  EXPECT_FALSE(has_error(check_specification(document.root()))) << members;
  return read_specification(document.root());
}

schemas as_schemas(const specification& of) {
  schemas all;
  all.providers[of.provider_name] = of.types;
  return all;
}

TEST(BreakingChanges, SpecificationsAddDefaultsAndReplacement) {
  const auto between = [](const std::string& before, const std::string& after) {
    return lines_of(breaking_changes(as_schemas(specified(before)), as_schemas(specified(after)),
                                     {.numbers = false, .hints = true}));
  };
  EXPECT_EQ(between(R"(,"default":{"static":1})", R"(,"default":{"static":2})"),
            lines{"port: has the default 1 no more, but 2 [other_default]"});
  EXPECT_EQ(between("", R"(,"default":{"static":2})"),
            lines{"port: has a default now: 2 [other_default]"});
  EXPECT_EQ(between(R"(,"default":{"static":1})", ""),
            lines{"port: has the default 1 no more [other_default]"});
  const std::string replaces =
      R"x(,"plan_modifiers":[{"custom":{"schema_definition":"int64planmodifier.RequiresReplace()"}}])x";
  EXPECT_EQ(between("", replaces),
            lines{"port: now forces replacement when it changes [replaces]"});
  EXPECT_EQ(between(replaces, ""), lines{});
  EXPECT_EQ(between(R"(,"description":"a")", R"(,"deprecation_message":"use ports")"),
            lines{"port: is deprecated: use ports [deprecated]"});
}

TEST(BreakingChanges, MembersOfOneFormatOnlyAreNotCompared) {
  // A specification tells no version and no numbers of blocks, the other format no defaults.
  const schemas one = of_block(R"("port":{"type":"number","optional":true})");
  const schemas other = as_schemas(specified(R"(,"default":{"static":1})"));
  EXPECT_EQ(lines_of(breaking_changes(one, other, {.numbers = false})), lines{});
  EXPECT_EQ(lines_of(breaking_changes(other, one, {.numbers = false})), lines{});
}

bool is_touched(const breaking_change& change, const std::string& values,
                const std::string& unknown) {
  const parsed all{values}, open{unknown};
  return touches(change, {all.root(), open.root()});
}

TEST(Touched, AreObjectsThatHaveWhatIsGone) {
  breaking_change gone;
  gone.path = {{"disk", true, false}, {"size"}};
  EXPECT_TRUE(is_touched(gone, R"({"disk":[{"size":null},{"size":1}]})", "{}"));
  EXPECT_FALSE(is_touched(gone, R"({"disk":[{"size":null}]})", "{}"));
  EXPECT_FALSE(is_touched(gone, R"({"disk":[]})", "{}"));
  EXPECT_FALSE(is_touched(gone, "null", "{}"));
  EXPECT_TRUE(is_touched(gone, R"({"disk":[{}]})", R"({"disk":[{"size":true}]})"));
  gone.path[0].by_key = true;
  EXPECT_TRUE(is_touched(gone, R"({"disk":{"a":{"size":1}}})", "{}"));
  EXPECT_TRUE(is_touched(gone, R"({"disk":{"a":{}}})", R"({"disk":{"a":{"size":true}}})"));
  EXPECT_FALSE(is_touched(gone, R"({"disk":{"size":{}}})", "{}"));
  gone.path.clear();
  EXPECT_TRUE(is_touched(gone, "null", "false"));
}

TEST(Touched, AreObjectsThatLackWhatIsNeeded) {
  breaking_change needed;
  needed.what = breakage::needed;
  needed.path = {{"disk", true, false}, {"size"}};
  EXPECT_TRUE(is_touched(needed, R"({"disk":[{"size":1},{}]})", "{}"));
  EXPECT_FALSE(is_touched(needed, R"({"disk":[{"size":1}]})", "{}"));
  EXPECT_FALSE(is_touched(needed, R"({"disk":[{}]})", R"({"disk":[{"size":true}]})"));
  // Nothing is needed in what is not there.
  EXPECT_FALSE(is_touched(needed, R"({"disk":[]})", "{}"));
}

TEST(Touched, AreObjectsByTheNumberOfBlocks) {
  breaking_change blocks;
  blocks.is_block = true;
  blocks.path = {{"disk", true, false}};
  blocks.count = 1;
  blocks.what = breakage::more_blocks;
  EXPECT_TRUE(is_touched(blocks, R"({"disk":[]})", "{}"));
  EXPECT_FALSE(is_touched(blocks, R"({"disk":[{}]})", "{}"));
  blocks.what = breakage::fewer_blocks;
  EXPECT_TRUE(is_touched(blocks, R"({"disk":[{},{}]})", "{}"));
  EXPECT_FALSE(is_touched(blocks, R"({"disk":[{}]})", "{}"));
  blocks.what = breakage::gone;
  EXPECT_FALSE(is_touched(blocks, R"({"disk":[]})", "{}"));
  EXPECT_TRUE(is_touched(blocks, R"({"disk":[{}]})", "{}"));
}

TEST(Touched, AreObjectsWithTheOldDefault) {
  breaking_change changed;
  changed.what = breakage::other_default;
  changed.path = {{"port"}};
  changed.old_default = "5432";
  EXPECT_TRUE(is_touched(changed, R"({"port":5432})", "{}"));
  EXPECT_FALSE(is_touched(changed, R"({"port":1})", "{}"));
  changed.old_default = "";
  EXPECT_TRUE(is_touched(changed, R"({"port":null})", "{}"));
  EXPECT_FALSE(is_touched(changed, R"({"port":1})", "{}"));
}

}  // namespace
}  // namespace tofud::schema
