// Rules of the comparison under a schema, one by one; the golden cases hold them all together.
#include "protocol/diff/schema_change.hpp"

#include "protocol/diff/attribute_paths.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::diff {
namespace {

// The body of the only resource, as it is drawn: its lines without their indent of four.
std::string body(const std::string& block, const std::string& change,
                 const std::string& version = "1.12.6") {
  auto parser = test::whole_document();
  const std::string known =
      R"({"format_version":"1.0","provider_schemas":{"p":{"resource_schemas":)"
      R"({"t":{"block":)" +
      block + "}}}}}";
  EXPECT_FALSE(parser.parse(known));
  const auto schemas = schema::read_provider_schemas(parser.root());
  if (!schemas) return schemas.error().text();
  const std::string plan = R"({"format_version":"1.2","terraform_version":")" + version +
                           R"(","resource_changes":[{"address":"t.n","mode":"managed","type":"t",)"
                           R"("name":"n","provider_name":"p","change":{"actions":["update"],)" +
                           change + "}}]}";
  const auto document = plan::read(plan);
  if (!document) return document.error().text();
  plan_drawing wanted;
  wanted.known.schemas = &*schemas;
  std::string text;
  const auto drawn = draw(*document, wanted, [&](std::string_view piece) { text.append(piece); });
  if (!drawn) return drawn.error().text();
  const std::size_t begin = text.find("resource \"t\" \"n\" ") + 17;
  return text.substr(begin, text.find("\n\nPlan:") - begin);
}

constexpr const char* one_text = R"({"attributes":{"a":{"type":"string"}}})";

TEST(SchemaChange, AnEmptyStringInABlockIsNull) {
  EXPECT_EQ(body(one_text, R"("before":{"a":""},"after":{"a":null})"), "{}");
  EXPECT_EQ(body(one_text, R"("before":{"a":""},"after":{"a":"x"})"),
            "{\n      + a = \"x\"\n    }");
}

TEST(SchemaChange, AttributesThatAreNullOnBothSidesAreNotEvenCounted) {
  EXPECT_EQ(body(R"({"attributes":{"a":{"type":"string"},"b":{"type":"bool"}}})",
                 R"("before":{"a":"x","b":null},"after":{"a":"y"})"),
            "{\n      ~ a = \"x\" -> \"y\"\n    }");
}

TEST(SchemaChange, SetsArePairedByValueAndListsByPlace) {
  EXPECT_EQ(body(R"({"attributes":{"a":{"type":["set","string"]}}})",
                 R"("before":{"a":["x","y"]},"after":{"a":["y","z"]})"),
            "{\n      ~ a = [\n          - \"x\",\n          + \"z\",\n"
            "            # (1 unchanged element hidden)\n        ]\n    }");
  EXPECT_EQ(body(R"({"attributes":{"a":{"type":["list","string"]}}})",
                 R"("before":{"a":["x","y"]},"after":{"a":["y","z"]})"),
            "{\n      ~ a = [\n          - \"x\",\n            \"y\",\n          + \"z\",\n"
            "        ]\n    }");
}

TEST(SchemaChange, TheReplacementNoteStandsWhereThePathEnds) {
  EXPECT_EQ(body(R"({"attributes":{"a":{"type":["object",{"b":"string"}]}}})",
                 R"("before":{"a":{"b":"x"}},"after":{"a":{"b":"y"}},"replace_paths":[["a","b"]])"),
            "{\n      ~ a = {\n          ~ b = \"x\" -> \"y\" # forces replacement\n        }\n"
            "    }");
  EXPECT_EQ(body(R"({"attributes":{"a":{"type":"dynamic"}}})",
                 R"("before":{"a":"x"},"after":{"a":"y"},"replace_paths":[["a"]])"),
            "{\n      ~ a = \"x\" -> \"y\"\n    }");
}

TEST(SchemaChange, ValuesThatDoNotFitTheirTypeAreShownAsTheyAre) {
  EXPECT_EQ(body(one_text, R"("before":{"a":{"k":1}},"after":{"a":["x"]})"),
            "{\n      ~ a = {\n          - k = 1\n        } -> [\n          + \"x\",\n        ]\n"
            "    }");
  EXPECT_EQ(body(R"({"attributes":{"a":{"type":["map","string"]}}})",
                 R"("before":{"a":"x"},"after":{"a":"y"})"),
            "{\n      ~ a = \"x\" -> \"y\"\n    }");
}

TEST(SchemaChange, UnknownBlocksAreShown) {
  EXPECT_EQ(
      body(R"({"block_types":{"b":{"nesting_mode":"list","block":)" + std::string{one_text} + "}}}",
           R"("before":{"b":[]},"after":{},"after_unknown":{"b":true})")
              .find("(known after apply)") != std::string::npos,
      true);
}

const std::string text_blocks = R"({"block_types":{"b":{"nesting_mode":"single","block":)"
                                R"({"attributes":{"a":{"type":"string"}},"block_types":{)"
                                R"("c":{"nesting_mode":"list","block":{"attributes":)"
                                R"({"x":{"type":"string"}}}}}}}}})";

TEST(SchemaChange, UnknownBlockHasUnknownAttributesAndNoBlocks) {
  const std::string change =
      R"("before":{"b":{"a":"x","c":[{"x":"y"}]}},"after":{},"after_unknown":{"b":true})";
  // Up to 1.12 by the schema of what is around it, which has no attributes here.
  EXPECT_EQ(body(text_blocks, change), "{\n      ~ b {} -> (known after apply)\n    }");
  EXPECT_EQ(body(text_blocks, change, "1.13.0"),
            "{\n      ~ b {\n          ~ a = \"x\" -> (known after apply)\n\n"
            "          - c {\n              - x = \"y\"\n            }\n"
            "        } -> (known after apply)\n    }");
}

TEST(SchemaChange, AGroupOfBlocksThatIsUnknownIsNoChangeOfTheBlockAroundIt) {
  EXPECT_EQ(body(text_blocks, R"("before":{"b":{"a":"x","c":[]}},"after":{"b":{"a":"x"}},)"
                              R"("after_unknown":{"b":{"c":true}})"),
            "{\n\n        # (1 unchanged block hidden)\n    }");
}

TEST(SchemaChange, ABlockSetToNullIsLikeAnAddedOne) {
  EXPECT_EQ(body(text_blocks, R"("before":{"b":null},"after":{},"after_unknown":{"b":true})"),
            "{}");
  EXPECT_EQ(body(text_blocks, R"("before":{},"after":{},"after_unknown":{"b":true})"),
            "{\n      + b (known after apply)\n    }");
}

TEST(SchemaChange, AnEmptyListOfBlocksKeepsTheBodyOpen) {
  EXPECT_EQ(body(R"({"block_types":{"b":{"nesting_mode":"list","block":{}}}})",
                 R"("before":{"b":[]},"after":{"b":[]})"),
            "{\n    }");
}

TEST(SchemaChange, EqualElementsOfASetAreOnePair) {
  EXPECT_EQ(
      body(R"({"block_types":{"b":{"nesting_mode":"set","block":)" + std::string{one_text} + "}}}",
           R"("before":{"b":[{"a":"x"}]},"after":{"b":[{"a":"x"},{"a":"x"}]})"),
      "{\n\n        # (1 unchanged block hidden)\n    }");
}

TEST(SchemaChange, WriteOnlyAttributesChangeWithWhatIsAroundThem) {
  const std::string block = R"({"attributes":{"a":{"type":"string"},)"
                            R"("w":{"type":"string","write_only":true}}})";
  EXPECT_EQ(body(block, R"("before":{"a":"x"},"after":{"a":"y"})"),
            "{\n      ~ a = \"x\" -> \"y\"\n      ~ w = (write-only attribute)\n    }");
  EXPECT_EQ(body(block, R"("before":{"a":"x"},"after":null,"replace_paths":[["w"]])"),
            "{\n      - a = \"x\" -> null\n"
            "      - w = (write-only attribute) # forces replacement -> null\n    }");
  // That it forces replacement is a change of the block around it.
  EXPECT_EQ(body(R"({"block_types":{"b":{"nesting_mode":"single","block":)" + block + "}}}",
                 R"("before":{"b":{"a":"x"}},"after":{"b":{"a":"x"}},"replace_paths":[["b","w"]])"),
            "{\n      ~ b {\n          ~ w = (write-only attribute) # forces replacement\n"
            "            # (1 unchanged attribute hidden)\n        }\n    }");
}

TEST(SchemaChange, UnchangedObjectIgnoresWriteOnlyAttributes) {
  const std::string block =
      R"({"attributes":{"n":{"nested_type":{"nesting_mode":"list",)"
      R"("attributes":{"a":{"type":"string"},)"
      R"("w":{"type":"string","write_only":true}}}},"id":{"type":"string"}}})";
  EXPECT_EQ(
      body(block, R"("before":{"n":[{"a":"x"}]},"after":{"n":[{"a":"x"}]},"importing":{"id":"1"})"),
      "{\n        n = [\n            {\n                a = \"x\"\n            },\n"
      "        ]\n    }");
}

TEST(SchemaChange, EmptySetsAndMapsOfObjectsHaveNoReplacementNote) {
  for (const char* mode : {"set", "map"}) {
    const bool map = std::string{mode} == "map";
    const std::string empty = map ? "{}" : "[]";
    EXPECT_EQ(body(R"({"attributes":{"n":{"nested_type":{"nesting_mode":")" + std::string{mode} +
                       R"(","attributes":{"a":{"type":"string"}}}}}})",
                   R"("before":{},"after":{"n":)" + empty + R"(},"replace_paths":[["n"]])"),
              "{\n      + n = " + empty + "\n    }");
  }
}

TEST(SchemaChange, ADynamicAttributeForcesReplacementInTextOnlyIfUnknownOrSensitive) {
  const std::string block = R"({"attributes":{"a":{"type":"dynamic"}}})";
  EXPECT_EQ(body(block, R"("before":{"a":"x"},"after":{},"after_unknown":{"a":true},)"
                        R"("replace_paths":[["a"]])"),
            "{\n      ~ a = \"x\" -> (known after apply) # forces replacement\n    }");
  EXPECT_EQ(body(block, R"("before":{"a":"x"},"after":{"a":"y"},"before_sensitive":{"a":true},)"
                        R"("after_sensitive":{"a":true},"replace_paths":[["a"]])"),
            "{\n      ~ a = (sensitive value) # forces replacement\n    }");
}

TEST(SchemaChange, UntypedNullThatBecomesUnknownIsNew) {
  EXPECT_EQ(body(R"({"attributes":{"a":{"type":"dynamic"}}})",
                 R"("before":{"a":{"k":null}},"after":{"a":{}},"after_unknown":{"a":{"k":true}})"),
            "{\n      ~ a = {\n          + k = (known after apply)\n        }\n    }");
  EXPECT_EQ(body(R"({"attributes":{"a":{"type":["map","string"]}}})",
                 R"("before":{"a":{"k":null}},"after":{"a":{}},"after_unknown":{"a":{"k":true}})"),
            "{\n        # (1 unchanged attribute hidden)\n    }");
}

// What is left of drift where only this path is relevant.
std::string drifted(const std::string& type, const std::string& before, const std::string& after,
                    const std::string& path) {
  const std::string known =
      R"({"format_version":"1.0","provider_schemas":{"p":{"resource_schemas":)"
      R"({"t":{"block":{"attributes":{"a":)" +
      type + "}}}}}}}";
  auto parser = test::whole_document();
  EXPECT_FALSE(parser.parse(known));
  const auto schemas = schema::read_provider_schemas(parser.root());
  if (!schemas) return schemas.error().text();
  const std::string plan =
      R"({"format_version":"1.2","output_changes":{"o":{"actions":["create"],"after":1}},)"
      R"("resource_drift":[{"address":"t.n","mode":"managed","type":"t","name":"n",)"
      R"("provider_name":"p","change":{"actions":["update"],"before":{"a":)" +
      before + R"(},"after":{"a":)" + after +
      R"(}}}],"relevant_attributes":[{"resource":"t.n","attribute":)" + path + "}]}";
  const auto document = plan::read(plan);
  if (!document) return document.error().text();
  plan_drawing wanted;
  wanted.known.schemas = &*schemas;
  std::string text;
  EXPECT_TRUE(draw(*document, wanted, [&](std::string_view piece) { text.append(piece); }));
  const std::size_t begin = text.find("resource \"t\" \"n\" ");
  if (begin == std::string::npos) return "";
  return text.substr(begin + 17, text.find("\n\n\nUnless") - begin - 17);
}

TEST(SchemaChange, DriftShowsRelevantAttributesOnly) {
  const std::string of_map = R"({"type":["map","number"]})", any = R"({"type":"dynamic"})";
  EXPECT_EQ(drifted(of_map, R"({"k":1,"l":1})", R"({"k":2,"l":2})", R"(["a","k"])"),
            "{\n      ~ a = {\n          ~ \"k\" = 1 -> 2\n"
            "            # (1 unchanged element hidden)\n        }\n    }");
  EXPECT_EQ(drifted(any, R"({"k":1,"l":1})", R"({"k":2,"l":2})", R"(["a","k"])"),
            "{\n      ~ a = {\n          ~ k = 1 -> 2\n"
            "            # (1 unchanged attribute hidden)\n        }\n    }");
  // Elements that are found by their place may be passed over; those that are paired may not.
  EXPECT_EQ(drifted(R"({"type":["tuple",["number","number"]]})", "[1,1]", "[2,2]", R"(["a",1])"),
            "{\n      ~ a = [\n            1,\n          ~ 1 -> 2,\n        ]\n    }");
  EXPECT_EQ(drifted(R"({"type":["set","number"]})", "[1]", "[2]", R"(["a",5])"),
            "{\n      ~ a = [\n          - 1,\n          + 2,\n        ]\n    }");
  EXPECT_EQ(
      drifted(R"({"nested_type":{"nesting_mode":"list","attributes":{"b":{"type":"number"}}}})",
              R"([{"b":1},{"b":1}])", R"([{"b":2},{"b":2}])", R"(["a",0,"b"])"),
      "{\n      ~ a = [\n          ~ {\n              ~ b = 1 -> 2\n            },\n"
      "            # (1 unchanged element hidden)\n        ]\n    }");
  EXPECT_EQ(drifted(of_map, R"({"k":1})", R"({"k":2})", R"(["b"])"), "");
}

TEST(SchemaChange, LongListsShareTheirEndsAtLeast) {
  std::string before = "0", after = "0";
  const std::size_t elements = 6000;
  for (std::size_t i = 1; i < elements; ++i) {
    before += "," + std::to_string(i);
    after += "," + std::to_string(i == 1 || i + 2 == elements ? i + elements : i);
  }
  ASSERT_GT(elements * elements, limits::compared_pairs);
  const std::string drawn =
      body(R"({"attributes":{"a":{"type":["list","number"]}}})",
           R"("before":{"a":[)" + before + R"(]},"after":{"a":[)" + after + "]}");
  EXPECT_TRUE(drawn.starts_with("{\n      ~ a = [\n            0,\n          - 1,\n"));
  EXPECT_TRUE(drawn.ends_with("+ 11998,\n            5999,\n        ]\n    }")) << drawn.size();
}

std::string met(const std::string& paths, const std::vector<std::string>& steps) {
  auto parser = test::whole_document();
  EXPECT_FALSE(parser.parse(paths));
  std::vector<json::value> all;
  for (const json::value each : parser.root()) all.push_back(each);
  attribute_paths at = attribute_paths::of(all);
  for (const std::string& step : steps) {
    const bool index = step.find_first_not_of("0123456789") == std::string::npos;
    at = index ? at.child(static_cast<std::size_t>(std::stoul(step))) : at.child(step);
  }
  return std::string{at.meet() ? "meets" : ""} + (at.end_here() ? ", ends" : "");
}

TEST(AttributePaths, AreFollowedStepByStep) {
  EXPECT_EQ(met(R"([["a",0,"b"]])", {"a"}), "meets");
  EXPECT_EQ(met(R"([["a",0,"b"]])", {"a", "0", "b"}), "meets, ends");
  EXPECT_EQ(met(R"([["a",0,"b"]])", {"a", "1"}), "");
  EXPECT_EQ(met(R"([["a"]])", {"a", "b"}), "meets") << "all below the end of a path is meant";
  EXPECT_EQ(met(R"([[]])", {}), "meets, ends");
  EXPECT_EQ(met(R"(["a",[{}]])", {"a"}), "");
}

}  // namespace
}  // namespace tofud::diff
