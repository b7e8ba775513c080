#include "protocol/diff/rows.hpp"

#include "protocol/diff/limits.hpp"
#include "protocol/diff/plan_lines.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::diff {
namespace {

// A plan of one resource that is updated, drawn in either form.
std::string lines(const std::string& change, line_form form,
                  const schema::schemas* schemas = nullptr) {
  const std::string text =
      R"({"format_version":"1.2","resource_changes":[{"address":"t.n","mode":"managed","type":"t",)"
      R"("name":"n","provider_name":"p","change":)" +
      change + "}]}";
  const auto document = plan::read(text);
  if (!document) return document.error().text();
  plan_drawing wanted;
  wanted.known.schemas = schemas;
  std::string out;
  const auto done =
      draw_lines(*document, wanted, form, [&](std::string_view piece) { out.append(piece); });
  return done ? out : done.error().text();
}

std::string body(const std::string& before, const std::string& after) {
  const std::string row = lines(
      R"({"actions":["update"],"before":{"x":)" + before + R"(},"after":{"x":)" + after + "}}",
      line_form::rows);
  const std::size_t begin = row.find("\"children\":[") + 12;
  return row.substr(begin, row.rfind("]}}\n{\"kind\":\"summary\"") - begin);
}

TEST(Rows, HaveTheValuesAndTheirActions) {
  EXPECT_EQ(body("1", "1.50"),
            R"({"kind":"value","key":"x","action":"update","before":1,"after":1.50})");
  EXPECT_EQ(body("null", R"("a\"b")"),
            R"({"kind":"value","key":"x","action":"create","after":"a\"b"})");
  EXPECT_EQ(body("[1,2]", "[1,3]"),
            R"({"kind":"list","key":"x","action":"update","children":[)"
            R"({"kind":"value","index":1,"action":"delete","before":2},)"
            R"({"kind":"value","index":2,"action":"create","after":3}],"unchanged":1})");
  EXPECT_EQ(
      body("[1]", R"("a")"),
      R"({"kind":"type","key":"x","action":"update","before":{"kind":"list","action":"delete",)"
      R"("children":[{"kind":"value","index":0,"action":"delete","before":1}]},)"
      R"("after":{"kind":"value","action":"create","after":"a"}})");
}

TEST(Rows, LongTextsAreCutAndMarked) {
  const std::string text(limits::diff_text_bytes + 1, 'x');
  const std::string row = body("null", "\"" + text + "\"");
  EXPECT_NE(row.find("\"after_bytes\":" + std::to_string(text.size())), std::string::npos);
  EXPECT_EQ(row.find(text), std::string::npos);
}

// Parses what it is computed from.
class tree {
 public:
  explicit tree(const std::string& text) : text_{text}, parser_{test::whole_document()} {
    parser_.parse(text_);
    sides between;
    between.before = parser_.root()["before"];
    between.after = parser_.root()["after"];
    made_ = compute_untyped(between);
  }
  const change& made() const { return made_; }

 private:
  std::string text_;
  json::document_parser parser_;
  change made_;
};

TEST(Rows, TooManyRowsAreLeftOutAndCanBeRequested) {
  std::string list = "[";
  for (std::size_t i = 0; i < limits::diff_children + 5; ++i)
    list += (i > 0 ? "," : "") + std::to_string(i);
  const tree all{R"({"before":null,"after":{"x":)" + list + "]}}"};
  const std::string row = row_of(all.made());
  EXPECT_NE(row.find(R"("more":5,"next":200)"), std::string::npos) << row;
  const std::string rest = row_of(all.made(), {{"x"}, 200, false});
  EXPECT_NE(rest.find(R"({"kind":"value","index":204,"action":"create","after":204}])"),
            std::string::npos);
  EXPECT_EQ(rest.find("\"more\""), std::string::npos);
  EXPECT_EQ(row_of(all.made(), {{"x", "300"}, 0, false}), "");
  EXPECT_EQ(row_of(all.made(), {{"y"}, 0, false}), "");
}

TEST(Rows, PlanRowsAreBounded) {
  std::string wide = "{";
  for (std::size_t i = 0; i < 150; ++i) {
    wide += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":[";
    for (std::size_t k = 0; k < 150; ++k) wide += k > 0 ? ",1" : "1";
    wide += "]";
  }
  const tree all{R"({"before":null,"after":)" + wide + "}}"};
  const std::string row = row_of(all.made());
  std::size_t values = 0;
  for (std::size_t at = row.find("{\"kind\""); at != std::string::npos;
       at = row.find("{\"kind\"", at + 1))
    ++values;
  EXPECT_EQ(values, limits::diff_values);
  EXPECT_NE(row.find("\"more\""), std::string::npos);
}

TEST(Rows, HaveABoundedDepth) {
  const std::size_t levels = limits::diff_depth + 10;
  std::string deep;
  for (std::size_t i = 0; i < levels; ++i) deep += "[";
  deep += "1" + std::string(levels, ']');
  const tree all{R"({"before":null,"after":{"x":)" + deep + "}}"};
  const std::string row = row_of(all.made());
  auto parser = test::whole_document();
  EXPECT_FALSE(parser.parse(row));
  EXPECT_NE(row.find("\"children\":[],\"more\":1"), std::string::npos);
  std::vector<std::string> path(limits::diff_depth, "0");
  path.front() = "x";
  EXPECT_NE(row_of(all.made(), {path, 0, false}).find("\"after\":1}"), std::string::npos);
}

TEST(Rows, HaveUnchangedChildrenOnRequest) {
  const tree all{R"({"before":{"a":1,"b":1},"after":{"a":1,"b":2}})"};
  EXPECT_EQ(row_of(all.made(), {{}, 0, true}),
            R"({"kind":"block","action":"update","children":[)"
            R"({"kind":"value","key":"a","action":"none","before":1,"after":1},)"
            R"({"kind":"value","key":"b","action":"update","before":1,"after":2}]})");
}

TEST(Compact, NamesWhatChanges) {
  EXPECT_EQ(lines(R"({"actions":["update"],"before":{"a":1,"b":{"c":[1],"d d":2},"e":[1]},
                     "after":{"a":2,"b":{"c":[1],"d d":3},"e":[2]}})",
                  line_form::compact),
            "  ~ t.n: a, b[\"d d\"], e\nPlan: 0 to add, 1 to change, 0 to destroy.\n");
  EXPECT_EQ(lines(R"({"actions":["delete","create"],"before":{"a":1,"id":"x"},
                     "after":{"a":2},"after_unknown":{"id":true},"replace_paths":[["a"]]})",
                  line_form::compact),
            "-/+ t.n: a (forces replacement), id\nPlan: 1 to add, 0 to change, 1 to destroy.\n");
  EXPECT_EQ(lines(R"({"actions":["create"],"before":null,"after":{"a":2}})", line_form::compact),
            "  + t.n\nPlan: 1 to add, 0 to change, 0 to destroy.\n");
}

TEST(Compact, CountsNamesBeyondTheFirst) {
  std::string before = "{", after = "{";
  for (char name = 'a'; name < 'a' + 20; ++name) {
    before += std::string{name == 'a' ? "\"" : ",\""} + name + "\":1";
    after += std::string{name == 'a' ? "\"" : ",\""} + name + "\":2";
  }
  const std::string line =
      lines(R"({"actions":["update"],"before":)" + before + R"(},"after":)" + after + "}}",
            line_form::compact);
  EXPECT_EQ(line.substr(0, line.find('\n')),
            "  ~ t.n: a, b, c, d, e, f, g, h, i, j, k, l and 8 more");
}

TEST(Lines, AnUnknownActionIsShownAndNotLost) {
  EXPECT_EQ(
      lines(R"({"actions":["explode"],"before":{"a":1},"after":{"a":2}})", line_form::compact),
      "  ? t.n\nPlan: 0 to add, 0 to change, 0 to destroy.\n");
}

schema::schemas described() {
  const std::string text =
      R"({"format_version":"1.0","provider_schemas":{"p":{"resource_schemas":{"t":{"version":0,"block":{)"
      R"("attributes":{"a":{"type":"string","description":"What \"a\" is.","deprecated":true,)"
      R"("deprecation_message":"Use b."},"b":{"type":"string","description":"Stays."}},)"
      R"("block_types":{"c":{"nesting_mode":"single","block":{"description":"A block.",)"
      R"("deprecated":true,"attributes":{"d":{"type":"string"}}}}}}}}}}})";
  json::document_parser parser{
      [](std::string_view, std::size_t, std::string_view) { return json::keep::tree; }};
  EXPECT_FALSE(parser.parse(text));
  return *schema::read_provider_schemas(parser.root());
}

constexpr const char* change_of_described =
    R"({"actions":["update"],"before":{"a":"x","b":"same","c":{"d":"x"}},)"
    R"("after":{"a":"y","b":"same","c":{"d":"y"}}})";

TEST(Rows, HaveDescriptionsOfChangedAttributes) {
  const auto known = described();
  const std::string row = lines(change_of_described, line_form::rows, &known);
  EXPECT_NE(row.find(R"("key":"a","action":"update","description":"What \"a\" is.",)"
                     R"("deprecated":"Use b.","before":"x")"),
            std::string::npos)
      << row;
  EXPECT_NE(row.find(R"("key":"c","action":"update","description":"A block.","deprecated":"")"),
            std::string::npos)
      << row;
  EXPECT_EQ(row.find("Stays."), std::string::npos) << row;
}

TEST(Compact, MarksWhatIsDeprecated) {
  const auto known = described();
  const std::string text = lines(change_of_described, line_form::compact, &known);
  EXPECT_NE(text.find("~ t.n: a (deprecated), c.d (deprecated)\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace tofud::diff
