// A Provider Code Specification tells as much of values as the schema that the provider itself
// gives: plans come out the same with either.
#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "protocol/schema/specification.hpp"
#include "tests/protocol/schema/read_golden.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::diff {
namespace {

constexpr const char* provider = "registry.opentofu.org/examples/small";

schema::schemas specified() {
  const schema::parsed document{schema::golden("small.specification.json")};
  schema::schemas known;
  known.providers.emplace(provider, schema::read_specification(document.root()).types);
  return known;
}

schema::schemas exported() {
  const schema::parsed document{schema::golden("small.schemas.json")};
  return *schema::read_provider_schemas(document.root());
}

std::string plan_of(const std::string& change, const std::string& mode = "managed") {
  return R"({"format_version":"1.2","resource_changes":[{"address":"small_thing.a","mode":")" +
         mode + R"(","type":"small_thing","name":"a","provider_name":")" + provider +
         R"(","change":)" + change + "}]}";
}

// In every form, one after the other.
std::string drawn(const std::string& plan, const schema::schemas* known, sensitivity marks) {
  const auto document = plan::read(plan);
  if (!document) return document.error().text();
  plan_drawing wanted;
  wanted.known = {known, marks};
  std::string out;
  const text_sink sink = [&](std::string_view piece) { out.append(piece); };
  EXPECT_TRUE(draw(*document, wanted, sink));
  EXPECT_TRUE(draw_lines(*document, wanted, line_form::compact, sink));
  EXPECT_TRUE(draw_lines(*document, wanted, line_form::rows, sink));
  return out;
}

// All of small_thing, with these words in it.
std::string thing(const std::string& word, int number) {
  const std::string text = "\"" + word + "\"", digits = std::to_string(number);
  return R"({"bool_attribute":true,"float64_attribute":1.5,"int64_attribute":)" + digits +
         R"(,"list_attribute":["first",)" + text + R"(],"map_attribute":{"k":[)" + digits +
         R"(]},"number_attribute":)" + digits + R"(,"object_attribute":{"flag":true,"numbers":[)" +
         digits + R"(,7],"words":{"w":)" + text + R"(}},"set_attribute":[{"host":)" + text +
         R"(,"port":80},{"host":"other","port":1}],"string_attribute":)" + text +
         R"(,"list_nested_attribute":[{"key":)" + text +
         R"(,"deeper":{"d":{"value":true}}},{"key":"same","deeper":null}],"map_nested_attribute":)"
         R"({"m":{"weight":)" +
         digits + R"(},"n":{"weight":0}},"set_nested_attribute":[{"member":)" + text +
         R"(},{"member":"same"}],"single_nested_attribute":{"inner":)" + text +
         R"(},"list_nested_block":[{"line":)" + text + R"(,"note":[{"text":"x"},{"text":)" + text +
         R"(}]}],"set_nested_block":[{"tag":)" + text +
         R"(},{"tag":"same"}],"single_nested_block":{"create":)" + text +
         R"(,"set_nested_block":[{"port":)" + digits + "}]}}";
}

struct planned {
  std::string name, plan;
};

const std::vector<planned>& plans() {
  const std::string before = thing("old", 1), after = thing("new", 2);
  const auto both = [&](const std::string& actions, const std::string& more) {
    return plan_of(R"({"actions":)" + actions + R"(,"before":)" + before + R"(,"after":)" + after +
                   more + "}");
  };
  static const std::vector<planned> all = {
      {"create", plan_of(R"({"actions":["create"],"before":null,"after":)" + after + "}")},
      {"create, much of it unknown",
       plan_of(R"({"actions":["create"],"before":null,"after":{"string_attribute":"x"},)"
               R"("after_unknown":{"int64_attribute":true,"set_nested_attribute":true,)"
               R"("list_nested_attribute":[{"deeper":true}],"single_nested_block":true}})")},
      {"delete", plan_of(R"({"actions":["delete"],"before":)" + before + R"(,"after":null})")},
      {"forget", plan_of(R"({"actions":["forget"],"before":)" + before + R"(,"after":null})")},
      {"update", both(R"(["update"])", "")},
      {"update to unknown",
       plan_of(
           R"({"actions":["update"],"before":)" + before +
           R"(,"after":{"string_attribute":"new"},"after_unknown":{"list_nested_attribute":true,)"
           R"("map_nested_attribute":true,"set_attribute":true,"single_nested_block":true}})")},
      {"replace",
       both(R"(["delete","create"])",
            R"(,"replace_paths":[["string_attribute"],["map_nested_attribute"],)"
            R"(["list_nested_attribute",0,"key"],["set_nested_block"],["single_nested_block"]])")},
      {"replace, first created",
       both(R"(["create","delete"])", R"(,"replace_paths":[["set_nested_attribute"]])")},
      {"sensitive values",
       both(
           R"(["update"])",
           R"(,"before_sensitive":{"string_attribute":true,"list_nested_block":[{"line":true}],)"
           R"("object_attribute":{"words":{"w":true}}},"after_sensitive":{"string_attribute":true,)"
           R"("set_nested_block":true,"map_nested_attribute":{"m":true}})")},
      {"import", plan_of(R"({"actions":["no-op"],"before":)" + before + R"(,"after":)" + before +
                         R"(,"importing":{"id":"i"}})")},
      {"data source", plan_of(R"({"actions":["read"],"before":null,"after":{"id":"x"},)"
                              R"("after_unknown":{"secret":true}})",
                              "data")},
  };
  return all;
}

TEST(SpecificationDiffs, AreThoseOfTheProviderSchema) {
  const schema::schemas by_specification = specified(), by_schema = exported();
  for (const planned& each : plans()) {
    for (const sensitivity marks : {sensitivity::plan, sensitivity::plan_and_schema}) {
      const std::string expected = drawn(each.plan, &by_schema, marks);
      EXPECT_EQ(drawn(each.plan, &by_specification, marks), expected) << each.name;
      EXPECT_NE(drawn(each.plan, nullptr, marks), expected)
          << each.name << ": what the schema tells is not seen";
    }
  }
}

TEST(SpecificationDiffs, RedactSensitiveAttributes) {
  const schema::schemas known = specified();
  const std::string text = drawn(plans().front().plan, &known, sensitivity::plan_and_schema);
  EXPECT_NE(text.find("inner = (sensitive value)"), std::string::npos) << text;
  EXPECT_NE(text.find("map_attribute           = (sensitive value)"), std::string::npos) << text;
}

}  // namespace
}  // namespace tofud::diff
