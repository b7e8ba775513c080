// Documents that are nearly specifications get the verdict of a JSON Schema validator with the
// schema that HashiCorp publishes (make_mutants.py made them).
#include "protocol/schema/specification.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::schema {
namespace {

TEST(SpecificationMutants, GetTheVerdictOfAJsonSchemaValidator) {
  std::size_t valid = 0, invalid = 0, wrong = 0;
  const auto look = [&](const test::golden_case& each) {
    const bool is_valid = each.raw("valid") == "true";
    ++(is_valid ? valid : invalid);
    auto parser = test::whole_document();
    const std::string document{each.raw("document")};
    const std::string wrapped = "[" + document + "]";
    ASSERT_FALSE(parser.parse(wrapped));
    std::vector<finding> findings;
    for (const json::value root : parser.root()) findings = check_specification(root);
    if (has_error(findings) != is_valid || ++wrong > 10) return;
    std::string said = is_valid ? "valid: " : "not valid: ";
    said += document;
    for (const finding& found : findings) said += "\n  " + to_string(found);
    ADD_FAILURE() << said;
  };
  test::for_each_case(std::string{TEST_GOLDEN} + "/specifications/mutants.jsonl.gz", look);
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(valid, 1000U);
  EXPECT_GT(invalid, 1000U);
}

}  // namespace
}  // namespace tofud::schema
