// Plans made up at random with a text of its own at every place that is marked: none comes out.
#include "protocol/diff/markdown.hpp"
#include "protocol/diff/plan_lines.hpp"
#include "protocol/diff/plan_text.hpp"
#include "protocol/diff/state_text.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tofud::diff {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr unsigned plans = 60;  // a drawing takes five times as long there
#else
constexpr unsigned plans = 300;
#endif

constexpr std::string_view schemas_text = R"({"format_version":"1.0","provider_schemas":{"p":{
  "resource_schemas":{"t":{"block":{
    "attributes":{
      "text":{"type":"string"}, "map":{"type":["map","string"]}, "list":{"type":["list","string"]},
      "set":{"type":["set","string"]}, "tuple":{"type":["tuple",["string","string"]]},
      "lists":{"type":["map",["list",["set","string"]]]},
      "object":{"type":["object",{"a":"string","b":["list","string"]}]}, "any":{"type":"dynamic"},
      "by_schema":{"type":"string","sensitive":true},
      "in_list":{"nested_type":{"nesting_mode":"list","attributes":{
        "a":{"type":"string"},"by_schema":{"type":"string","sensitive":true}}}},
      "in_set":{"nested_type":{"nesting_mode":"set","attributes":{
        "a":{"type":"string"},"deep":{"nested_type":{"nesting_mode":"map","attributes":{
          "a":{"type":"string"}}}}}}},
      "in_map":{"nested_type":{"nesting_mode":"map","attributes":{
        "a":{"type":"string"},"by_schema":{"type":["list","string"],"sensitive":true}}}},
      "in_one":{"nested_type":{"nesting_mode":"single","attributes":{"a":{"type":"string"}}}}},
    "block_types":{
      "one":{"nesting_mode":"single","block":{"attributes":{"a":{"type":"string"}},"block_types":{
        "inner":{"nesting_mode":"list","block":{"attributes":{"a":{"type":"string"}}}}}}},
      "many":{"nesting_mode":"list","block":{"attributes":{"a":{"type":"string"},
        "by_schema":{"type":"string","sensitive":true}}}},
      "bag":{"nesting_mode":"set","block":{"attributes":{"a":{"type":"string"}}}},
      "named":{"nesting_mode":"map","block":{"attributes":{"a":{"type":"string"}}}}}}}}}}})";

struct shape {
  enum class kind : std::uint8_t { text, array, map, object } is = kind::text;
  std::vector<std::pair<std::string, shape>> members = {};  // of an array or map: of its elements
  bool by_schema = false;
  bool labels = false;  // a map of blocks: OpenTofu shows its keys whatever is marked
};

shape text() { return {}; }
shape hidden_text() { return {shape::kind::text, {}, true, false}; }
shape array(const shape& of) { return {shape::kind::array, {{"", of}}}; }
shape map(const shape& of) { return {shape::kind::map, {{"", of}}}; }
shape object(std::vector<std::pair<std::string, shape>> of) {
  return {shape::kind::object, std::move(of)};
}

// As the schema above has it.
shape resource() {
  shape hidden_list = array(hidden_text());
  hidden_list.by_schema = true;
  const shape a = object({{"a", text()}});
  shape labelled = map(a);
  labelled.labels = true;
  return object({{"text", text()},
                 {"map", map(text())},
                 {"list", array(text())},
                 {"set", array(text())},
                 {"tuple", array(text())},
                 {"lists", map(array(array(text())))},
                 {"object", object({{"a", text()}, {"b", array(text())}})},
                 {"any", object({{"k", array(object({{"b", text()}}))}, {"l", text()}})},
                 {"by_schema", hidden_text()},
                 {"in_list", array(object({{"a", text()}, {"by_schema", hidden_text()}}))},
                 {"in_set", array(object({{"a", text()}, {"deep", map(a)}}))},
                 {"in_map", map(object({{"a", text()}, {"by_schema", hidden_list}}))},
                 {"in_one", a},
                 {"one", object({{"a", text()}, {"inner", array(a)}})},
                 {"many", array(object({{"a", text()}, {"by_schema", hidden_text()}}))},
                 {"bag", array(a)},
                 {"named", labelled}});
}

// A value and its marks, as JSON.
struct marked {
  std::string value, marks;
};
struct both_sides {
  marked before, after;
  std::string unknown;
};

class generator {
 public:
  explicit generator(unsigned seed) : random_{seed} {}

  std::size_t below(std::size_t count) { return random_() % count; }

  marked one(const shape& of, bool hidden = false) {
    const bool here = !hidden && below(12) == 0;
    marked made = inside(of, hidden || here);
    if (here) made.marks = "true";
    return made;
  }

  // Of an object's members some stay, some change, come, go or become unknown.
  both_sides two(const shape& of) {
    if (of.is != shape::kind::object) return {one(of), one(of), "false"};
    std::string parts[5];
    for (const auto& [key, each] : of.members) {
      both_sides part;
      switch (below(6)) {
        case 0:
          part.before = part.after = one(each);
          break;
        case 1:
          part.before = one(each);
          break;
        case 2:
          part.after = one(each);
          break;
        case 3:
          part.before = one(each);
          part.unknown = "true";
          break;
        default:
          part = two(each);
      }
      append(parts[0], key, part.before.value);
      append(parts[1], key, part.before.marks);
      append(parts[2], key, part.after.value);
      append(parts[3], key, part.after.marks);
      append(parts[4], key, part.unknown);
    }
    for (std::string& each : parts) each = "{" + each + "}";
    return {{parts[0], parts[1]}, {parts[2], parts[3]}, parts[4]};
  }

 private:
  static void append(std::string& to, const std::string& key, const std::string& value) {
    if (value.empty()) return;
    to.append(to.empty() ? "\"" : ",\"").append(key).append("\":").append(value);
  }

  std::string word(const shape& of, bool hidden) {
    const std::string unique = (hidden         ? "planted-"
                                : of.by_schema ? "schema-planted-"
                                               : "plain-") +
                               std::to_string(++words_);
    const std::string texts[] = {unique, R"({"k":[")" + unique + "\"]}", "first\n" + unique + "\n",
                                 "[\"" + unique + "\"]"};
    std::string quoted;
    json::append_quoted(quoted, texts[below(4)]);
    return quoted;
  }

  marked inside(const shape& of, bool hidden) {
    if (of.is == shape::kind::text) return {word(of, hidden), "false"};
    marked made;
    const std::size_t count = of.is == shape::kind::object ? of.members.size() : 2;
    for (std::size_t i = 0; i < count; ++i) {
      const bool listed = of.is == shape::kind::array;
      const bool keyed = of.is == shape::kind::object;
      const auto& [name, element] = of.members[keyed ? i : 0];
      const marked part = one(element, hidden);
      if (listed) {
        made.value.append(i > 0 ? "," : "").append(part.value);
        made.marks.append(i > 0 ? "," : "").append(part.marks);
        continue;
      }
      // Keys of what is marked as a whole are hidden as well.
      const std::string_view start = !hidden ? "key" : of.labels ? "label-" : "planted-key-";
      const std::string key = keyed ? name : std::string{start} + std::to_string(i);
      append(made.value, key, part.value);
      append(made.marks, key, part.marks);
    }
    const bool listed = of.is == shape::kind::array;
    return {(listed ? "[" : "{") + made.value + (listed ? "]" : "}"),
            (listed ? "[" : "{") + made.marks + (listed ? "]" : "}")};
  }

  std::mt19937 random_;
  std::size_t words_ = 0;
};

std::string change_of(const std::string& actions, const both_sides& of, bool before, bool after) {
  std::string text = R"({"actions":)" + actions;
  text += R"(,"before":)" + (before ? of.before.value : "null");
  text += R"(,"after":)" + (after ? of.after.value : "null");
  if (before) text += R"(,"before_sensitive":)" + of.before.marks;
  if (after) text += R"(,"after_sensitive":)" + of.after.marks;
  if (after && before) text += R"(,"after_unknown":)" + of.unknown;
  return text + R"(,"replace_paths":[["text"],["in_set"],["many",0,"a"]])";
}

std::string some_change(generator& random, const shape& of) {
  const both_sides sides = random.two(of);
  switch (random.below(6)) {
    case 0:
      return change_of(R"(["create"])", sides, false, true) + "}";
    case 1:
      return change_of(R"(["delete"])", sides, true, false) + "}";
    case 2:
      return change_of(R"(["forget"])", sides, true, false) + "}";
    case 3:
      return change_of(R"(["delete","create"])", sides, true, true) + "}";
    case 4:
      return change_of(R"(["update"])", sides, true, true) + R"(,"importing":{"id":"i"}})";
    default:
      return change_of(R"(["update"])", sides, true, true) + "}";
  }
}

std::string some_plan(unsigned seed) {
  generator random{seed};
  const auto entry = [&] {
    return R"({"address":"t.n","mode":"managed","type":"t","name":"n","provider_name":"p","change":)" +
           some_change(random, resource()) + "}";
  };
  const std::string changes = entry(), drift = entry();
  const shape output = object({{"a", text()}, {"b", array(map(text()))}});
  return R"({"format_version":"1.2","resource_changes":[)" + changes + R"(],"resource_drift":[)" +
         drift + R"(],"relevant_attributes":[{"resource":"t.n","attribute":[]}],)" +
         R"("output_changes":{"o":)" + some_change(random, output) + "}}";
}

class PlantedValues : public testing::Test {
 protected:
  PlantedValues() : parser_{test::whole_document()} {
    EXPECT_FALSE(parser_.parse(schemas_text));
    known_ = *schema::read_provider_schemas(parser_.root());
  }

  struct drawings {
    std::string human, lines;  // for people; compact, rows and Markdown
  };

  static drawings all_of(const std::string& plan, const knowledge& known) {
    drawings made;
    const auto document = plan::read(plan);
    if (!document) {
      ADD_FAILURE() << document.error().text();
      return made;
    }
    for (const plan_mode mode : {plan_mode::normal, plan_mode::refresh_only}) {
      for (const auto colours : {text::ink::colours::no, text::ink::colours::yes}) {
        const plan_drawing wanted{.colours = colours, .mode = mode, .known = known};
        const auto to = [](std::string& out) {
          return [&out](std::string_view piece) { out.append(piece); };
        };
        EXPECT_TRUE(draw(*document, wanted, to(made.human)));
        EXPECT_TRUE(draw_lines(*document, wanted, line_form::compact, to(made.lines)));
        EXPECT_TRUE(draw_lines(*document, wanted, line_form::rows, to(made.lines)));
        EXPECT_TRUE(draw_markdown(*document, wanted, made.lines));
      }
    }
    return made;
  }

  static bool shows(const std::string& text, std::string_view word) {
    return text.find(word) != std::string::npos;
  }

  schema::schemas known_;

 private:
  json::document_parser parser_;
};

// What only the schema hides begins with "schema-" and ends in the same word.
bool shows_marked(std::string text) {
  for (std::size_t at = 0; (at = text.find("schema-planted", at)) != std::string::npos;)
    text.erase(at, 14);
  return text.find("planted") != std::string::npos;
}

TEST_F(PlantedValues, AreInNoDrawingOfAPlan) {
  std::size_t shown = 0, of_schema = 0;
  for (unsigned seed = 1; seed <= plans; ++seed) {
    const std::string plan = some_plan(seed);
    ASSERT_TRUE(shows(plan, "planted")) << seed;
    const drawings followed = all_of(plan, {&known_, sensitivity::plan});
    ASSERT_FALSE(shows_marked(followed.human)) << seed << followed.human;
    ASSERT_FALSE(shows(followed.lines, "planted")) << seed << followed.lines;
    ASSERT_FALSE(shows(followed.lines, "label-")) << seed << followed.lines;
    const drawings overlaid = all_of(plan, {&known_, sensitivity::plan_and_schema});
    ASSERT_FALSE(shows(overlaid.human, "planted")) << seed << overlaid.human;
    ASSERT_FALSE(shows(overlaid.lines, "planted")) << seed << overlaid.lines;
    const drawings untyped = all_of(plan, {nullptr, sensitivity::plan});
    ASSERT_FALSE(shows_marked(untyped.human)) << seed << untyped.human;
    ASSERT_FALSE(shows_marked(untyped.lines)) << seed << untyped.lines;
    shown += shows(followed.human, "plain-") && shows(followed.lines, "plain-") ? 1 : 0;
    of_schema += shows(followed.human, "schema-planted-") ? 1 : 0;
  }
  // It is not that everything is hidden.
  EXPECT_GT(shown, plans / 2);
  EXPECT_GT(of_schema, plans / 2);
}

TEST_F(PlantedValues, AreInNoDrawingOfAState) {
  for (unsigned seed = 1; seed <= plans; ++seed) {
    generator random{seed};
    const marked values = random.one(resource()), output = random.one(map(text()), true);
    const std::string text =
        R"({"format_version":"1.0","values":{"outputs":{"o":{"sensitive":true,"value":)" +
        output.value +
        R"(}},"root_module":{"resources":[{"address":"t.n","mode":"managed","type":"t","name":"n",)"
        R"("provider_name":"p","values":)" +
        values.value + R"(,"sensitive_values":)" + values.marks + "}]}}}";
    const auto state = plan::read_state(text);
    ASSERT_TRUE(state);
    std::string human, lines;
    state_drawing wanted;
    wanted.known.schemas = &known_;
    EXPECT_TRUE(draw(*state, wanted, [&](std::string_view piece) { human.append(piece); }));
    for (const line_form form : {line_form::compact, line_form::rows})
      EXPECT_TRUE(
          draw_lines(*state, wanted, form, [&](std::string_view piece) { lines.append(piece); }));
    ASSERT_FALSE(shows_marked(human)) << seed << human;
    ASSERT_FALSE(shows(lines, "planted")) << seed << lines;
  }
}

TEST_F(PlantedValues, AreInNoErrorAboutADocumentThatIsCut) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const std::string plan = some_plan(seed);
    for (std::size_t part = 1; part < 20; ++part) {
      // Closed again, so that what is broken lies deeper.
      for (const char* end : {"", "}", "\"}}]}", "]}"}) {
        const std::string text = plan.substr(0, plan.size() * part / 20) + end;
        const auto document = plan::read(text);
        std::string said;
        if (document) {
          const auto drawn = draw(*document, {}, [](std::string_view) {});
          if (!drawn) said = drawn.error().text();
        } else {
          said = document.error().text();
        }
        ASSERT_FALSE(shows(said, "planted")) << said;
      }
    }
  }
}

}  // namespace
}  // namespace tofud::diff
