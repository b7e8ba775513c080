#include "protocol/diff/state_text.hpp"

#include "protocol/diff/plain_number.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::diff {
namespace {

std::string drawn(std::string_view state, const state_drawing& wanted) {
  const auto document = plan::read_state(state);
  if (!document) return document.error().text();
  std::string text;
  const auto done = draw(*document, wanted, [&](std::string_view piece) { text.append(piece); });
  return done ? text : done.error().text();
}

TEST(StateText, StatesComeOutAsOpenTofuShowsThem) {
  const std::string known =
      test::unpacked(std::string{TEST_GOLDEN} + "/schemas/recordings.json.gz");
  auto parser = test::whole_document();
  ASSERT_FALSE(parser.parse(known));
  const auto schemas = schema::read_provider_schemas(parser.root());
  ASSERT_TRUE(schemas);
  std::size_t cases = 0;
  test::for_each_case(
      std::string{TEST_GOLDEN} + "/state-render.jsonl.gz", [&](const test::golden_case& each) {
        ++cases;
        state_drawing wanted;
        wanted.known.schemas = &*schemas;
        EXPECT_EQ(drawn(each.raw("state"), wanted), each.string("human")) << each.string("name");
        wanted.colours = text::ink::colours::yes;
        EXPECT_EQ(drawn(each.raw("state"), wanted), each.string("human_color"))
            << each.string("name");
      });
  EXPECT_EQ(cases, 24);
}

TEST(StateText, RareCasesComeOutTheSame) {
  std::size_t cases = 0;
  test::for_each_case(std::string{TEST_GOLDEN} + "/state-render-rules.jsonl.gz",
                      [&](const test::golden_case& each) {
                        ++cases;
                        auto parser = test::whole_document();
                        ASSERT_FALSE(parser.parse(each.raw("schemas")));
                        const auto schemas = schema::read_provider_schemas(parser.root());
                        ASSERT_TRUE(schemas) << each.string("name");
                        state_drawing wanted;
                        wanted.known.schemas = &*schemas;
                        EXPECT_EQ(drawn(each.raw("state"), wanted), each.string("human"))
                            << each.string("name");
                        wanted.colours = text::ink::colours::yes;
                        EXPECT_EQ(drawn(each.raw("state"), wanted), each.string("human_color"))
                            << each.string("name");
                      });
  EXPECT_EQ(cases, 100);
}

TEST(StateText, AnEmptyStateHasItsSentence) {
  const std::string nothing = "The state file is empty. No resources are represented.\n";
  EXPECT_EQ(drawn(R"({"format_version":"1.0"})", {}), nothing);
  EXPECT_EQ(
      drawn(R"({"format_version":"1.0","values":{"outputs":{},"root_module":{"resources":[]}}})",
            {}),
      nothing);
  EXPECT_EQ(
      drawn(R"({"format_version":"1.0","values":{"root_module":{"child_modules":[{}]}}})", {}), "");
}

TEST(StateText, DeposedAndTaintedObjectsAreMarked) {
  EXPECT_EQ(drawn(R"({"format_version":"1.0","values":{"root_module":{"resources":[
    {"address":"a.b","mode":"managed","type":"a","name":"b","deposed_key":"0123abcd","values":{}},
    {"address":"a.c","mode":"managed","type":"a","name":"c","tainted":true,"values":{"x":[1]},
     "sensitive_values":{"x":[true]}}]}}})",
                  {}),
            "# a.b: (deposed object 0123abcd)\nresource \"a\" \"b\" {}\n\n"
            "# a.c: (tainted)\nresource \"a\" \"c\" {\n    x = [\n        (sensitive value),\n"
            "    ]\n}\n");
}

TEST(StateText, AnErrorNamesItsPath) {
  EXPECT_EQ(
      drawn(R"({"format_version":"2.0"})", {}),
      "format_version is 2.0, but this tofud knows only 1: use a newer tofud, or `tofu show` of "
      "the version that wrote it");
  EXPECT_EQ(drawn(R"({"format_version":"1.0","values":{"root_module":{"child_modules":[{},
    {"resources":[{"address":3}]}]}}})",
                  {}),
            "values.root_module.child_modules[1].resources[0].address is not a string");
}

TEST(PlainNumber, HasNoExponent) {
  EXPECT_EQ(plain_number("1.5e-09"), "0.0000000015");
  EXPECT_EQ(plain_number("-1.50E2"), "-150");
  EXPECT_EQ(plain_number("1e+21"), "1000000000000000000000");
  EXPECT_EQ(plain_number("1.10"), "1.10");
  EXPECT_EQ(plain_number("0e5"), "0");
  EXPECT_EQ(plain_number("1e999999999999"), "1e999999999999");
}

}  // namespace
}  // namespace tofud::diff
