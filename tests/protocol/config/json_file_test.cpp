#include "protocol/config/json_file.hpp"

#include "tests/protocol/config/described.hpp"

#include <gtest/gtest.h>

namespace tofud::config {
namespace {

file_blocks read(std::string_view text) { return read_json_file("main.tf.json", text); }

lines blocks_of(std::string_view text) {
  const file_blocks found = read(text);
  EXPECT_EQ(described(found.problems), lines{});
  return described(found.blocks);
}

// The only block, with this body.
block resource(std::string_view body) {
  const file_blocks found = read(R"({"resource":{"a":{"b":)" + std::string{body} + "}}}");
  EXPECT_EQ(described(found.problems), lines{});
  EXPECT_EQ(found.blocks.size(), 1U);
  return found.blocks.empty() ? block{} : found.blocks.front();
}

lines references_of(std::string_view body) { return described(resource(body).references); }

TEST(JsonFile, GivesThePlacesOfBlockNames) {
  EXPECT_EQ(blocks_of(R"({
  "//": "written by a program",
  "resource": {"aws_vpc": {
    "main": {}
  }},
  "data": {"http": {"page": {}}},
  "ephemeral": {"a": {"b": {}}},
  "module": {"net": {"source": "./net"}},
  "variable": {"size": {}},
  "locals": {"x": 1, "//": 2},
  "output": {"id": {"value": 1}},
  "check": {"up": {"data": {"http": {"probe": {}}}, "assert": []}},
  "provider": {"aws": {}}, "terraform": {}, "moved": []
})"),
            (lines{"4:5 aws_vpc.main", "6:21 data.http.page", "7:23 ephemeral.a.b",
                   "8:14 module.net", "9:16 var.size", "10:14 local.x", "11:14 output.id",
                   "12:38 data.http.probe", "13:16 provider.aws"}));
}

TEST(JsonFile, ReadsWhichProviderIsMeant) {
  const auto found = read_json_file("main.tf.json", R"({
  "provider": {"aws": [{}, {"alias": "west", "region": "${a.b.region}"}]},
  "resource": {"a": {"c": {"provider": "aws.west"}}},
  "module": {"m": {"source": "./m", "providers": {"aws": "aws.west", "bad": 7}}}
})");
  ASSERT_EQ(found.blocks.size(), 4U);
  EXPECT_EQ(found.blocks[0].address, "provider.aws");
  EXPECT_EQ(found.blocks[1].address, "provider.aws.west");
  EXPECT_EQ(described(found.blocks[1].references), lines{"region -> a.b"});
  EXPECT_EQ(found.blocks[2].provider, "aws.west");
  EXPECT_EQ(found.blocks[3].providers, (std::vector<passed_provider>{{"aws", "aws.west"}}));
}

TEST(JsonFile, MayBeAnArray) {
  EXPECT_EQ(blocks_of(R"([{"resource":{"a":{"b":{}}}},{"resource":{"a":{"c":{}}}}])"),
            (lines{"1:20 a.b", "1:48 a.c"}));
}

TEST(JsonFile, MayHaveArraysAtEveryLabel) {
  EXPECT_EQ(
      blocks_of(
          R"({"resource":[{"a":[{"x":[{"i":1}]},{"y":{}}]},{"b":{"z":[[{"i":1},{"j":2}]]}}]})"),
      (lines{"1:21 a.x", "1:37 a.y", "1:53 b.z"}));
  EXPECT_EQ(blocks_of(R"({"module":[{"m":{}},{"n":[{}]}],"locals":[{"a":1},{"b":2}]})"),
            (lines{"1:13 module.m", "1:22 module.n", "1:44 local.a", "1:52 local.b"}));
}

TEST(JsonFile, MayRepeatKeys) {
  EXPECT_EQ(blocks_of(R"({"resource":{"a":{"x":{}},"a":{"y":{}}},"resource":{"a":{"z":{}}}})"),
            (lines{"1:19 a.x", "1:32 a.y", "1:58 a.z"}));
}

TEST(JsonFile, CountsCharactersAndKnowsEscapes) {
  EXPECT_EQ(
      blocks_of("{\"//\":\"\xc3\xa4\\\"\\u007b\",\"resource\":{\"a\":{\"b\\u0063\":{},\"d\":{}}}}"),
      (lines{"1:36 a.bc", "1:49 a.d"}));
}

TEST(JsonFile, HasProvisionersInTheOrderOfTheText) {
  const auto provisioners = [](std::string_view body) {
    return described(resource(R"({"provisioner":)" + std::string{body} + "}").provisioners);
  };
  EXPECT_EQ(provisioners(R"([{"x":{}},{"y":{"when":"destroy"}},{"x":{"on_failure":"continue"}}])"),
            (lines{"x (1:40)", "y when destroyed (1:49)", "x or go on (1:74)"}));
  EXPECT_EQ(provisioners(R"({"y":{},"x":[{},{"when":"destroy"}]})"),
            (lines{"y (1:39)", "x (1:46)", "x when destroyed (1:46)"}));
  EXPECT_EQ(provisioners("null"), lines{});
}

TEST(JsonFile, ReadsCreateBeforeDestroy) {
  EXPECT_EQ(resource(R"({"lifecycle":{"create_before_destroy":true}})").create_before_destroy,
            true);
  EXPECT_EQ(resource(R"({"lifecycle":[{"create_before_destroy":"false"}]})").create_before_destroy,
            false);
  EXPECT_EQ(resource("{}").create_before_destroy, std::nullopt);
}

TEST(JsonFile, ReadsTextsAsTemplates) {
  EXPECT_EQ(references_of(R"({"x":"${a.c.id} a.d $${a.e}","y":[{"z":"${module.m.o}"}]})"),
            (lines{"x -> a.c", "y -> module.m.o"}));
  EXPECT_EQ(references_of(R"({"x":{"${var.key}":"${join(\",\", var.names)}"}})"),
            (lines{"x -> var.key", "x -> var.names"}));
}

TEST(JsonFile, ReadsAddressesAsTheyAre) {
  EXPECT_EQ(references_of(R"({"depends_on":["a.c","module.m"],
                              "lifecycle":{"replace_triggered_by":["a.d.id"]}})"),
            (lines{"depends_on -> a.c", "depends_on -> module.m",
                   "lifecycle.replace_triggered_by -> a.d"}));
}

TEST(JsonFile, LiteralTextHasNoReferences) {
  EXPECT_EQ(references_of(R"({"provider":"aws.west","lifecycle":{"ignore_changes":["tags.x"]},
                              "connection":{"type":"${a.c}","host":"${a.d}"},
                              "provisioner":{"p":{"when":"destroy","connection":{"type":"${a.e}"}}}})"),
            lines{"connection -> a.d"});
  const auto module = read(R"({"module":{"m":{"source":"./${a.b}","version":"${a.c}",
                               "providers":{"aws":"aws.west"},"x":"${a.d}"}}})");
  EXPECT_EQ(described(module.blocks[0].references), lines{"x -> a.d"});
  const auto output =
      read(R"({"output":{"o":{"description":"${a.b}","sensitive":"${a.c}","value":"${a.d}"}},
                               "variable":{"v":{"default":"${a.e}","description":"${a.f}","type":"a.g"}}})");
  EXPECT_EQ(described(output.blocks[0].references), lines{"value -> a.d"});
  EXPECT_EQ(described(output.blocks[1].references), lines{});
}

TEST(JsonFile, HasCommentsInBodiesOnly) {
  EXPECT_EQ(
      references_of(R"({"//":"${a.c}","lifecycle":{"//":"${a.c}","precondition":{"//":"${a.c}"}},
                              "provisioner":{"p":{"//":"${a.c}"}},"connection":{"//":"${a.c}"},
                              "dynamic":{"d":{"//":"${a.c}"}}})"),
      lines{});
  EXPECT_EQ(references_of(R"({"triggers":{"//":"${a.c}"}})"), lines{"triggers -> a.c"});
}

TEST(JsonFile, BindsTheIteratorsOfDynamicBlocks) {
  EXPECT_EQ(references_of(R"({"dynamic":{"rule":{"for_each":"${var.r}",
                              "content":{"x":"${rule.value.x}","y":"${a.c}"}}}})"),
            (lines{"rule -> var.r", "rule -> a.c"}));
  EXPECT_EQ(references_of(
                R"({"dynamic":[{"rule":[{"iterator":"i","content":[{"x":"${i.value.x}"}]}]}]})"),
            lines{});
}

TEST(JsonFile, BlocksBeforeAnErrorStay) {
  // The text and the place of the recording json-syntax-errors.
  const auto found = read(R"({"resource": {"terraform_data": {"x": {}},,})");
  EXPECT_EQ(described(found.blocks), lines{"1:34 terraform_data.x"});
  EXPECT_EQ(described(found.problems),
            lines{"main.tf.json:1:43: invalid JSON; everything before it was read"});
}

TEST(JsonFile, EveryBeginningOfATextIsRead) {
  const std::string text =
      R"([{"resource":{"a":[{"x":[{"i":1.5e3}]},{"y":{"s":"t\u00e4\n","n":null}}]}}])";
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(read(text.substr(0, size)).problems.size(), 1U) << text.substr(0, size);
  }
  EXPECT_EQ(blocks_of(text).size(), 2U);
}

TEST(JsonFile, AMisplacedColonMovesNothing) {
  for (const char* text :
       {R"({"resource":{"a":{"b":{"x":"y":1,"z":[]}}}})", R"({"resource":{"a":{"b":[{},"x":1]}}})",
        R"({"resource":{"a":{"b":{"x"::1}}}})"}) {
    const auto found = read(text);
    EXPECT_EQ(described(found.blocks), lines{"1:19 a.b"}) << text;
  }
}

TEST(JsonFile, ANonObjectIsNamed) {
  const auto found = read(R"({"resource":{"//":"c","a":{"b":1,"c":{}}},"module":[1]})");
  EXPECT_EQ(described(found.blocks), lines{"1:34 a.c"});
  EXPECT_EQ(described(found.problems),
            (lines{"main.tf.json:1:14: \"//\" is not a name; the block is ignored",
                   "main.tf.json:1:32: an object is expected here; this value is ignored",
                   "main.tf.json:1:53: an object is expected here; this value is ignored"}));
}

}  // namespace
}  // namespace tofud::config
