#include "protocol/diagnostics/diagnostic.hpp"

#include "protocol/diagnostics/limits.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/feed/diagnostic.hpp"
#include "protocol/ui/parse_message.hpp"
#include "tests/paths.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace tofud::diagnostics {
namespace {

// Draws the diagnostic of a line of the stream; "" if there is none.
std::string drawn(const std::string& line, const diagnostic_drawing& wanted = {}) {
  ui::message_parser parser{ui::differences::keep};
  const auto& parsed = parser.parse(line);
  const auto* found = std::get_if<ui::diagnostic>(&parsed.body);
  if (!parsed.head || found == nullptr) return "";
  return draw(feed::to_row(*parsed.head, *found), wanted, found->difference);
}

struct golden_case {
  std::string line, human, human_color;
};

std::vector<golden_case> golden(const std::string& name) {
  std::ifstream file{TEST_GOLDEN "/" + name};
  std::vector<golden_case> cases;
  for (std::string line; std::getline(file, line);) {
    const boost::json::value both = boost::json::parse(line);
    const auto text = [&](const char* member) {
      return std::string{std::string_view{both.at(member).as_string()}};
    };
    cases.push_back(
        {boost::json::serialize(both.at("message")), text("human"), text("human_color")});
  }
  return cases;
}

void expect_golden(const std::string& name, std::size_t at_least) {
  const auto cases = golden(name);
  ASSERT_GE(cases.size(), at_least);
  for (const golden_case& each : cases) {
    EXPECT_EQ(drawn(each.line), each.human) << each.line;
    EXPECT_EQ(drawn(each.line, {.colours = text::ink::colours::yes}), each.human_color)
        << each.line;
  }
}

std::string line_of(const std::string& members) {
  return R"({"@level":"error","@message":"m","@module":"tofu.ui","type":"diagnostic","diagnostic":{)"
         R"("severity":"error",)" +
         members + "}}";
}

TEST(Diagnostic, IsDrawnAsOpenTofuDrewIt) { expect_golden("diagnostics.jsonl", 70); }

TEST(Diagnostic, HostileTextIsDrawnAsOpenTofuDrewIt) {
  expect_golden("diagnostics-random.jsonl", 50);
}

TEST(Diagnostic, SeverityAndSummaryAloneGetAFrame) {
  EXPECT_EQ(drawn(line_of(R"("summary":"no")")), "╷\n│ Error: no\n│\n╵\n");
  EXPECT_EQ(drawn(line_of(R"("summary":"")")), "╷\n│ Error: \n│\n╵\n");
}

TEST(Diagnostic, MissingFileIsNamed) {
  EXPECT_EQ(drawn(line_of(R"("summary":"no","range":{"filename":"a.tf","start":{"line":7}})")),
            "╷\n│ Error: no\n│\n│   on a.tf line 7:\n│   (source code not available)\n│\n╵\n");
}

TEST(Diagnostic, IsWrappedAtTheWidthOrNotAtAll) {
  const std::string line = line_of(R"("summary":"a b c d e f g h","detail":"a b c d e f g h")");
  EXPECT_EQ(drawn(line, {.width = 10}),
            "╷\n│ Error: a b c d e f g h\n│\n│ a b c d\n│ e f g h\n╵\n");
  EXPECT_EQ(drawn(line, {.width = 0}), "╷\n│ Error: a b c d e f g h\n│\n│ a b c d e f g h\n╵\n");
}

TEST(Diagnostic, EndsAtALineThatOpenTofuCannotRead) {
  const std::string word(limits::drawn_line_bytes, 'x');
  EXPECT_EQ(drawn(line_of(R"("summary":"no","detail":"a\n)" + word + R"(\nb")")),
            "╷\n│ Error: no\n│\n│ a\n╵\n");
  const std::string shorter = word.substr(1);
  EXPECT_EQ(drawn(line_of(R"("summary":"no","detail":")" + shorter + R"(\nb")")),
            "╷\n│ Error: no\n│\n│ " + shorter + "\n│ b\n╵\n");
}

TEST(Diagnostic, LongLineIsCut) {
  std::string word;
  while (word.size() < limits::drawn_line_bytes + 10) word += "世";
  const std::string seen = drawn(line_of(R"("summary":"no","detail":")" + word + R"(\nb")"),
                                 {.long_lines = long_lines::shorten});
  const std::string cut = word.substr(0, (limits::drawn_line_bytes - 1) / 3 * 3);
  EXPECT_EQ(seen, "╷\n│ Error: no\n│\n│ " + cut + "… " + std::to_string(word.size() - cut.size()) +
                      " bytes left out\n│ b\n╵\n");
}

TEST(Diagnostic, ItsFilterSeesEveryPieceOfTextFromOutside) {
  const std::string line = line_of(
      R"("summary":"S","detail":"D","address":"A","range":{"filename":"F","start":{"line":1}},)"
      R"("snippet":{"context":"X","code":"CCC","start_line":1,"highlight_start_offset":1,)"
      R"("highlight_end_offset":2,"values":[{"traversal":"T","statement":"V"}],)"
      R"("function_call":{"called_as":"N","signature":{"params":[{"name":"P"}],)"
      R"("variadic_param":{"name":"R"}}}},"difference":{"before":"l\nB","after":"l\nB\nE"})");
  const auto star = [](std::string_view text) {
    return text.empty() ? std::string{} : "<" + std::string{text} + ">";
  };
  EXPECT_EQ(drawn(line, {.filter = star}),
            "╷\n│ Error: <S>\n│\n│   with <A>,\n│   on <F> line 1, in <X>:\n│    1: <C><C><C>\n"
            "│     ├────────────────\n│     │ while calling <N>(<P>, <R>...)\n│     │ <T> <V>\n"
            "│     ├────────────────\n│     │ Diff: \n│     │     <<-EOT\n│     │         <l>\n"
            "│     │         <B>\n│     │       + <E>\n│     │     EOT\n│\n│ <D>\n╵\n");
}

TEST(Diagnostic, ADifferenceThatIsTooLargeIsNotDrawn) {
  std::string list = "[";
  for (std::size_t i = 0; i <= limits::difference_elements; ++i) list += std::to_string(i) + ",";
  list.back() = ']';
  const std::string members =
      R"("summary":"S","range":{"filename":"F","start":{"line":1}},"snippet":{"code":"c"},)"
      R"("difference":{"after":null,"before":)";
  EXPECT_NE(drawn(line_of(members + list + "}")).find("(too large to show)"), std::string::npos);
  std::string deep(900, '[');
  deep += "\"" + std::string(limits::difference_bytes, 'x') + "\"" + std::string(900, ']');
  EXPECT_NE(drawn(line_of(members + deep + "}")).find("(too large to show)"), std::string::npos);
}

TEST(Diagnostic, IsParsedWithoutItsDifferenceUnlessThatIsAskedFor) {
  const std::string line = line_of(R"("summary":"S","difference":{"before":"secret"})");
  ui::message_parser parser;
  const auto* found = std::get_if<ui::diagnostic>(&parser.parse(line).body);
  ASSERT_NE(found, nullptr);
  EXPECT_FALSE(found->difference);
}

TEST(Headline, IsTheFirstLineWithText) {
  feed::diagnostic_row row;
  row.summary = "  no such subnet \nmore";
  row.detail = "detail";
  EXPECT_EQ(headline(row), "no such subnet");
  row.summary = " \n";
  EXPECT_EQ(headline(row), "detail");
  row.detail = "";
  EXPECT_EQ(headline(row), "");
}

feed::diagnostic_row generated(const std::string& code, std::int64_t begin, std::int64_t end) {
  feed::diagnostic_row row;
  row.severity = "error";
  row.summary = "Wrong";
  row.detail = "It is.";
  row.range = feed::source_range{"main.tf.json", {1, 9, 8}, {1, 12, 11}};
  feed::source_snippet snippet;
  snippet.code = code;
  snippet.context = "resource.t.x";
  snippet.path = "resource.t.x.a";
  snippet.start_line = 1;
  snippet.highlight_start_offset = begin;
  snippet.highlight_end_offset = end;
  snippet.values = {{"var.a", "is 1"}};
  row.snippet = snippet;
  return row;
}

TEST(Diagnostic, BlockOfAGeneratedFileHasItsPathAndNoLineNumbers) {
  const feed::diagnostic_row row = generated("\"t\": {\n  \"世\": \"nope\"\n}", 17, 21);
  EXPECT_EQ(draw(row, {}), R"(╷
│ Error: Wrong
│
│   on main.tf.json line 1, at resource.t.x.a:
│     "t": {
│       "世": "nope"
│             ^^^^
│     }
│     ├────────────────
│     │ var.a is 1
│
│ It is.
╵
)");
}

TEST(Diagnostic, BlockThatCouldNotBeFoundIsLeftOut) {
  feed::diagnostic_row row = generated("", 0, 0);
  row.snippet->path = "";
  row.snippet->values.clear();
  EXPECT_EQ(draw(row, {}), R"(╷
│ Error: Wrong
│
│   on main.tf.json line 1:
│
│ It is.
╵
)");
}

TEST(Diagnostic, EndsWithItsAttributesDescription) {
  feed::diagnostic_row row = generated("1", 0, 1);
  row.range.reset();
  row.snippet.reset();
  row.attribute.emplace();
  row.attribute->path = "port";
  row.attribute->value_type = "number";
  row.attribute->default_value = "5432";
  EXPECT_EQ(draw(row, {}), R"(╷
│ Error: Wrong
│
│ It is.
│
│   port (number)
│     default 5432
╵
)");
}

}  // namespace
}  // namespace tofud::diagnostics
