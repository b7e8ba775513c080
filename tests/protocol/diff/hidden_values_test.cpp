// No value that is marked sensitive comes out, wherever the mark stands and whoever draws.
#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/diff/state_text.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::diff {
namespace {

constexpr std::string_view planted = "hunter2";

constexpr std::string_view schemas_text = R"({"format_version":"1.0","provider_schemas":{"p":{
  "resource_schemas":{"t":{"block":{
    "attributes":{
      "text":{"type":"string"}, "map":{"type":["map","string"]}, "list":{"type":["list","string"]},
      "set":{"type":["set","string"]}, "tuple":{"type":["tuple",["string","string"]]},
      "object":{"type":["object",{"a":"string","b":"string"}]}, "any":{"type":"dynamic"},
      "by_schema":{"type":"string","sensitive":true},
      "nested":{"nested_type":{"nesting_mode":"map","attributes":{
        "a":{"type":"string"},"by_schema":{"type":"string","sensitive":true}}}}},
    "block_types":{
      "one":{"nesting_mode":"single","block":{"attributes":{"a":{"type":"string"}}}},
      "many":{"nesting_mode":"list","block":{"attributes":{"a":{"type":"string"},
        "by_schema":{"type":"string","sensitive":true}}}},
      "bag":{"nesting_mode":"set","block":{"attributes":{"a":{"type":"string"}}}},
      "named":{"nesting_mode":"map","block":{"attributes":{"a":{"type":"string"}}}}}}}}}}})";

struct planted_value {
  std::string name, values, marks;
};

// Each with a secret, and the marks that say so.
const std::vector<planted_value>& all_planted() {
  static const std::vector<planted_value> all = {
      {"attribute", R"({"text":"hunter2"})", R"({"text":true})"},
      {"JSON in a string", R"({"text":"{\"a\":\"hunter2\"}"})", R"({"text":true})"},
      {"lines", R"({"text":"x\nhunter2\n"})", R"({"text":true})"},
      {"whole map", R"({"map":{"hunter2":"hunter2"}})", R"({"map":true})"},
      {"element of a map", R"({"map":{"a":"hunter2","b":"c"}})", R"({"map":{"a":true}})"},
      {"element of a list", R"({"list":["x","hunter2"]})", R"({"list":[false,true]})"},
      {"element of a set", R"({"set":["x","hunter2"]})", R"({"set":[false,true]})"},
      {"element of a tuple", R"({"tuple":["x","hunter2"]})", R"({"tuple":[false,true]})"},
      {"member", R"({"object":{"a":"hunter2","b":"x"}})", R"({"object":{"a":true}})"},
      {"dynamic", R"({"any":{"a":[{"b":"hunter2"}]}})", R"({"any":{"a":[{"b":true}]}})"},
      {"nested attribute", R"({"nested":{"k":{"a":"hunter2"}}})", R"({"nested":{"k":{"a":true}}})"},
      {"block", R"({"one":{"a":"hunter2"}})", R"({"one":{"a":true}})"},
      {"whole block", R"({"one":{"a":"hunter2"}})", R"({"one":true})"},
      {"one of a list of blocks", R"({"many":[{"a":"x"},{"a":"hunter2"}]})",
       R"({"many":[{},{"a":true}]})"},
      {"all of a list of blocks", R"({"many":[{"a":"hunter2"}]})", R"({"many":true})"},
      {"one of a set of blocks", R"({"bag":[{"a":"x"},{"a":"hunter2"}]})",
       R"({"bag":[{},{"a":true}]})"},
      {"all of a set of blocks", R"({"bag":[{"a":"hunter2"}]})", R"({"bag":true})"},
      {"one of a map of blocks", R"({"named":{"k":{"a":"hunter2"}}})",
       R"({"named":{"k":{"a":true}}})"},
      {"all of a map of blocks", R"({"named":{"k":{"a":"hunter2"}}})", R"({"named":true})"},
      {"all of the resource", R"({"text":"hunter2","many":[{"a":"hunter2"}]})", "true"},
  };
  return all;
}

// The secret comes, goes, stays, changes, becomes unknown, begins or ceases to be one.
std::vector<std::string> changes_of(const planted_value& each) {
  const auto change = [](const std::string& actions, const std::string& before,
                         const std::string& after, const std::string& more) {
    return R"({"actions":[)" + actions + R"(],"before":)" + before + R"(,"after":)" + after + more +
           "}";
  };
  const std::string was = R"(,"before_sensitive":)" + each.marks,
                    is = R"(,"after_sensitive":)" + each.marks;
  std::string other = each.values;
  other.replace(other.rfind(planted), planted.size(), "hunter2-too");
  const std::string empty = "{}", null = "null";
  return {change(R"("create")", null, each.values, is),
          change(R"("delete")", each.values, null, was),
          change(R"("forget")", each.values, null, was),
          change(R"("update")", each.values, other, was + is),
          change(R"("update")", each.values, empty, was),
          change(R"("update")", empty, each.values, is),
          change(R"("delete","create")", each.values, other, was + is + R"(,"replace_paths":[[]])"),
          change(R"("no-op")", each.values, each.values, was + is + R"(,"importing":{"id":"x"})"),
          change(R"("update")", each.values, empty, was + R"(,"after_unknown":)" + each.marks)};
}

std::string plan_of(const std::string& change) {
  const std::string entry =
      R"({"address":"t.n","mode":"managed","type":"t","name":"n","provider_name":"p","change":)" +
      change + "}";
  return R"({"format_version":"1.2","resource_changes":[)" + entry + R"(],"resource_drift":[)" +
         entry + R"(],"relevant_attributes":[{"resource":"t.n","attribute":[]}]})";
}

class schemas_of_test {
 public:
  schemas_of_test() : parser_{test::whole_document()} {
    parser_.parse(schemas_text);
    known_ = *schema::read_provider_schemas(parser_.root());
  }
  const schema::schemas& known() const { return known_; }

 private:
  json::document_parser parser_;
  schema::schemas known_;
};

// Everything that can be made of a plan, one after the other.
std::string all_drawings(const std::string& text, const schema::schemas* known, sensitivity marks) {
  std::string out;
  const text_sink sink = [&](std::string_view piece) { out.append(piece); };
  const auto plan = plan::read(text);
  if (!plan) return plan.error().text();
  for (const plan_mode mode : {plan_mode::normal, plan_mode::refresh_only}) {
    plan_drawing wanted;
    wanted.known = {known, marks};
    wanted.mode = mode;
    EXPECT_TRUE(draw(*plan, wanted, sink));
    EXPECT_TRUE(draw_lines(*plan, wanted, line_form::compact, sink));
    EXPECT_TRUE(draw_lines(*plan, wanted, line_form::rows, sink));
  }
  return out;
}

TEST(HiddenValues, PlanValuesAreInNoDrawing) {
  const schemas_of_test schemas;
  for (const planted_value& each : all_planted()) {
    for (const std::string& change : changes_of(each)) {
      const std::string plan = plan_of(change);
      const std::string with = all_drawings(plan, &schemas.known(), sensitivity::plan);
      EXPECT_EQ(with.find(planted), std::string::npos) << each.name << "\n" << change << with;
      EXPECT_NE(with.find("t.n"), std::string::npos);
      const std::string without = all_drawings(plan, nullptr, sensitivity::plan);
      EXPECT_EQ(without.find(planted), std::string::npos) << each.name << "\n" << change << without;
    }
  }
}

TEST(HiddenValues, ValuesThatOnlyTheSchemaMarksStayInTheTextForPeople) {
  const schemas_of_test schemas;
  for (const char* values :
       {R"({"by_schema":"hunter2"})", R"({"nested":{"k":{"by_schema":"hunter2"}}})",
        R"({"many":[{"by_schema":"hunter2"}]})"}) {
    const std::string plan =
        plan_of(std::string{R"({"actions":["create"],"after":)"} + values + "}");
    const auto document = plan::read(plan);
    ASSERT_TRUE(document);
    plan_drawing wanted;
    wanted.known.schemas = &schemas.known();
    std::string human, others;
    EXPECT_TRUE(draw(*document, wanted, [&](std::string_view piece) { human.append(piece); }));
    EXPECT_NE(human.find(planted), std::string::npos) << "as OpenTofu does";
    for (const line_form form : {line_form::compact, line_form::rows})
      EXPECT_TRUE(draw_lines(*document, wanted, form,
                             [&](std::string_view piece) { others.append(piece); }));
    EXPECT_EQ(others.find(planted), std::string::npos) << others;
    const std::string overlaid = all_drawings(plan, &schemas.known(), sensitivity::plan_and_schema);
    EXPECT_EQ(overlaid.find(planted), std::string::npos) << overlaid;
  }
}

TEST(HiddenValues, StateValuesAreInNoDrawing) {
  const schemas_of_test schemas;
  for (const planted_value& each : all_planted()) {
    const std::string text =
        R"({"format_version":"1.0","values":{"outputs":{"o":{"value":"hunter2","sensitive":true}},)"
        R"("root_module":{"resources":[{"address":"t.n","mode":"managed","type":"t","name":"n",)"
        R"("provider_name":"p","values":)" +
        each.values + R"(,"sensitive_values":)" + each.marks + "}]}}}";
    const auto state = plan::read_state(text);
    ASSERT_TRUE(state);
    std::string out;
    const text_sink sink = [&](std::string_view piece) { out.append(piece); };
    for (const schema::schemas* known :
         {&schemas.known(), static_cast<const schema::schemas*>(nullptr)}) {
      state_drawing wanted;
      wanted.known.schemas = known;
      EXPECT_TRUE(draw(*state, wanted, sink));
      EXPECT_TRUE(draw_lines(*state, wanted, line_form::compact, sink));
      EXPECT_TRUE(draw_lines(*state, wanted, line_form::rows, sink));
    }
    EXPECT_EQ(out.find(planted), std::string::npos) << each.name << "\n" << out;
  }
}

TEST(HiddenValues, ErrorsAboutBrokenDocumentsHaveNone) {
  for (
      const char* broken :
      {R"({"format_version":"1.2","resource_changes":"hunter2"})",
       R"({"format_version":"1.2","resource_changes":[{"address":{"hunter2":1}}]})",
       R"({"format_version":"1.2","resource_changes":[{"address":"a","change":["hunter2"]}]})",
       R"({"format_version":"1.2","resource_changes":[{"address":"a","change":{"actions":["x",hunter2]}}]})",
       R"({"format_version":"1.2","output_changes":{"o":"hunter2"}})",
       R"({"format_version":"1.2","relevant_attributes":[hunter2]})", R"(["hunter2"])"}) {
    const auto plan = plan::read(broken);
    std::string said = plan ? "" : plan.error().text();
    if (plan) {
      const auto drawn = draw(*plan, {}, [](std::string_view) {});
      ASSERT_FALSE(drawn) << broken;
      said = drawn.error().text();
    }
    EXPECT_FALSE(said.empty());
    EXPECT_EQ(said.find(planted), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace tofud::diff
