// Rules of the comparison under a schema, one by one; the golden cases hold them all together.
#include "protocol/diff/schema_change.hpp"

#include "protocol/diff/attribute_paths.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/limits.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::diff {
namespace {

// The body of the only resource, as it is drawn: its lines without their indent of four.
std::string body(const std::string& block, const std::string& change) {
  auto parser = test::whole_document();
  const std::string known =
      R"({"format_version":"1.0","provider_schemas":{"p":{"resource_schemas":)"
      R"({"t":{"block":)" +
      block + "}}}}}";
  EXPECT_FALSE(parser.parse(known));
  const auto schemas = schema::read_provider_schemas(parser.root());
  if (!schemas) return schemas.error();
  const std::string plan =
      R"({"format_version":"1.2","resource_changes":[{"address":"t.n","mode":"managed","type":"t",)"
      R"("name":"n","provider_name":"p","change":{"actions":["update"],)" +
      change + "}}]}";
  const auto document = plan::read(plan);
  if (!document) return document.error().sentence;
  plan_drawing wanted;
  wanted.known.schemas = &*schemas;
  std::string text;
  const auto drawn = draw(*document, wanted, [&](std::string_view piece) { text.append(piece); });
  if (!drawn) return drawn.error().sentence;
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

TEST(SchemaChange, ReplacementIsToldWhereThePathEnds) {
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

TEST(SchemaChange, UnknownBlocksAreTold) {
  EXPECT_EQ(
      body(R"({"block_types":{"b":{"nesting_mode":"list","block":)" + std::string{one_text} + "}}}",
           R"("before":{"b":[]},"after":{},"after_unknown":{"b":true})")
              .find("(known after apply)") != std::string::npos,
      true);
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
