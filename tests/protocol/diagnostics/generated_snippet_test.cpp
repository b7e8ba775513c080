#include "protocol/diagnostics/generated_snippet.hpp"

#include "protocol/diagnostics/limits.hpp"
#include "tests/protocol/diagnostics/by_hand.hpp"

#include <algorithm>

namespace tofud::diagnostics {
namespace {

// Written by programs; what must not be seen of other blocks is all called "other".
const std::string synthesised =
    R"({"//":{"tool":"other"},"terraform":{"backend":{"s3":{"key":"other"}}},)"
    R"("variable":{"p":{"default":"other"}},"locals":{"a":"${nope}","b":"other"},)"
    R"("resource":{"null_resource":{"y":{"triggers":{"a":"other"}},)"
    R"("x":{"triggers":{"a":"${missing.z}","b c":[1,2]},"provisioner":[{"local-exec":{"command":"id"}}]},)"
    R"("z":{"triggers":{"a":"other"}}}},"output":{"o":{"value":"${wrong}","sensitive":true},"q":{"value":"other"}}})";

feed::diagnostic_row redrawn(const std::string& filename, const std::string& code,
                             std::string_view marked) {
  feed::diagnostic_row row = fault_at(filename, code, marked);
  redraw_generated(row);
  return row;
}

int places_of(std::string_view what, std::string_view text) {
  int places = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++places;
  return places;
}

TEST(GeneratedSnippet, IsTheBlockAroundTheFault) {
  const auto row = redrawn("main.tf.json", synthesised, "missing.z");
  EXPECT_EQ(row.snippet->path, "resource.null_resource.x.triggers.a");
  EXPECT_EQ(row.snippet->code, R"("resource": {"null_resource": {"x": {
  "triggers": {
    "a": "${missing.z}",
    "b c": [1, 2]
  },
  "provisioner": [
    {
      "local-exec": {
        "command": "id"
      }
    }
  ]
}}})");
  EXPECT_EQ(marked(row), "missing.z");
  EXPECT_EQ(row.snippet->start_line, 1);
}

TEST(GeneratedSnippet, ThePathHasIndexesAndQuotesOtherKeys) {
  EXPECT_EQ(redrawn("a.tofu.json", synthesised, "\"id\"").snippet->path,
            "resource.null_resource.x.provisioner[0].local-exec.command");
  EXPECT_EQ(redrawn("a.tf.json", synthesised, "2]").snippet->path,
            "resource.null_resource.x.triggers[\"b c\"][1]");
}

TEST(GeneratedSnippet, LocalValueIsShownAlone) {
  const auto row = redrawn("main.tf.json", synthesised, "nope");
  EXPECT_EQ(row.snippet->code, "\"locals\": {\n  \"a\": \"${nope}\"\n}");
  EXPECT_EQ(marked(row), "nope");
}

TEST(GeneratedSnippet, OutputShowsItsBody) {
  const auto row = redrawn("main.tf.json", synthesised, "wrong");
  EXPECT_EQ(row.snippet->code,
            "\"output\": {\"o\": {\n  \"value\": \"${wrong}\",\n  \"sensitive\": true\n}}");
}

TEST(GeneratedSnippet, ShowsNoLiteralOfAnotherBlockWhereverTheFaultIs) {
  for (std::size_t at = 0; at < synthesised.size(); ++at) {
    feed::diagnostic_row row = fault_at("main.tf.json", synthesised, "{");
    row.snippet->highlight_start_offset = static_cast<std::int64_t>(at);
    row.snippet->highlight_end_offset = static_cast<std::int64_t>(at + 1);
    redraw_generated(row);
    ASSERT_TRUE(row.snippet->path);
    // The fault may be in a block of that literal, but never in two.
    const std::string& code = row.snippet->code;
    EXPECT_LE(places_of("other", code), 1) << code;
    EXPECT_LE(places_of("other", code) + places_of("${", code), 1) << code;
    EXPECT_LE(row.snippet->highlight_end_offset, static_cast<std::int64_t>(code.size()));
  }
}

TEST(GeneratedSnippet, TakesArraysAtEveryLevelOfNames) {
  const std::string code =
      R"([{"locals":[{"k":"other"}]},{"resource":[{"t":[{"x":[{"input":"${local.z}"},{"input":"other"}]}]}]}])";
  const auto row = redrawn("main.tf.json", code, "local.z");
  EXPECT_EQ(row.snippet->path, "[1].resource[0].t[0].x[0].input");
  EXPECT_EQ(row.snippet->code,
            "\"resource\": [{\"t\": [{\"x\": [{\n  \"input\": \"${local.z}\"\n}]}]}]");
}

TEST(GeneratedSnippet, NonObjectBlockIsShownAsWritten) {
  const std::string code = R"({"resource":{"t":{"y":"str","z":{"input":"other"}}}})";
  const auto row = redrawn("main.tf.json", code, "\"str\"");
  EXPECT_EQ(row.snippet->code, "\"resource\": {\"t\": {\n  \"y\": \"str\"\n}}");
}

TEST(GeneratedSnippet, AroundSeveralBlocksIsTheirNames) {
  const auto row = redrawn("main.tf.json", synthesised, "{\"y\"");
  EXPECT_EQ(row.snippet->path, "resource.null_resource");
  EXPECT_EQ(row.snippet->code,
            "\"resource\": {\"null_resource\": {\n  \"y\": {…},\n  \"x\": {…},\n  \"z\": {…}\n}}");
}

TEST(GeneratedSnippet, ValueIsShownAlone) {
  const std::string code = R"({"password":"other","ports":[80,"x"]})";
  EXPECT_EQ(redrawn("prod.tfvars.json", code, "\"x\"").snippet->code, "\"ports\": [80, \"x\"]");
}

// Recording json-syntax-errors.
TEST(GeneratedSnippet, BrokenFileEndsAtTheFault) {
  const std::string code = R"({"resource": {"terraform_data": {"x": {}},,})";
  const auto row = redrawn("main.tofu.json", code, ",}");
  EXPECT_EQ(row.snippet->path, "resource");
  EXPECT_EQ(row.snippet->code, "\"resource\": {\n  \"terraform_data\": {…}\n  ,\n…");
  EXPECT_EQ(marked(row), ",");
}

TEST(GeneratedSnippet, BrokenBlockIsShownUpToTheFault) {
  const std::string code =
      R"({"resource":{"t":{"a":{"input":"other"},"x":{"input": tru, "k":"other"}}}})";
  const auto row = redrawn("main.tf.json", code, "tru");
  EXPECT_EQ(row.snippet->path, "resource.t.x.input");
  EXPECT_EQ(row.snippet->code, "\"resource\": {\"t\": {\"x\": {\n  \"input\": tru\n…");
  EXPECT_EQ(marked(row), "tru");
}

TEST(GeneratedSnippet, NothingIsShownAfterAnUnterminatedString) {
  const std::string code =
      R"({"resource":{"t":{"x":{"input":"unterminated}, "y": {"input":"other"}}}})";
  feed::diagnostic_row row = fault_at("main.tf.json", code, "{");
  row.snippet->highlight_start_offset = row.snippet->highlight_end_offset =
      static_cast<std::int64_t>(code.size());
  redraw_generated(row);
  EXPECT_EQ(row.snippet->path, "resource.t.x");
  EXPECT_EQ(row.snippet->code.find("other"), std::string::npos) << row.snippet->code;
  EXPECT_NE(row.snippet->code.find("\"input\": \"unterminated}"), std::string::npos);
}

TEST(GeneratedSnippet, CutAtEveryByteShowsNothingOfOtherBlocks) {
  for (std::size_t size = 2; size < synthesised.size(); ++size) {
    feed::diagnostic_row row = fault_at("main.tf.json", synthesised.substr(0, size), "{");
    row.snippet->highlight_start_offset = row.snippet->highlight_end_offset =
        static_cast<std::int64_t>(size);
    redraw_generated(row);
    EXPECT_LE(places_of("other", row.snippet->code), 1) << row.snippet->code;
  }
}

TEST(GeneratedSnippet, LargeBlockIsShownNearTheFault) {
  std::string members;
  for (int i = 0; i < 500; ++i) {
    members += "\"k" + std::to_string(i) + "\":{\"a\":[1,2,{\"b\":3}]},";
  }
  const std::string code =
      "{\"resource\":{\"t\":{\"x\":{" + members + "\"bad\":\"${nope}\"," + members + "\"z\":1}}}}";
  const auto row = redrawn("main.tf.json", code, "nope");
  const std::string& drawn = row.snippet->code;
  EXPECT_LE(std::count(drawn.begin(), drawn.end(), '\n'), limits::generated_block_lines);
  EXPECT_EQ(drawn,
            "\"resource\": {\"t\": {\"x\": {\n  …,\n  \"k497\": {…},\n  \"k498\": {…},\n"
            "  \"k499\": {…},\n  \"bad\": \"${nope}\",\n  \"k0\": {…},\n  \"k1\": {…},\n"
            "  \"k2\": {…},\n  …\n}}}");
  EXPECT_EQ(marked(row), "nope");
}

TEST(GeneratedSnippet, DeepBlockHasLimitedLines) {
  std::string open, close;
  for (int i = 0; i < 300; ++i) {
    open += "{\"a\":";
    close += "}";
  }
  const std::string code = "{\"locals\":{\"x\":" + open + "\"${nope}\"" + close + "}}";
  const auto row = redrawn("main.tf.json", code, "nope");
  const std::string& drawn = row.snippet->code;
  EXPECT_LT(static_cast<std::size_t>(std::count(drawn.begin(), drawn.end(), '\n')),
            limits::generated_block_lines);
  EXPECT_EQ(marked(row), "nope");
  EXPECT_LE(row.snippet->path->size(), limits::generated_line_bytes);
}

TEST(GeneratedSnippet, LongTextIsShownNearTheFault) {
  const std::string text(5000, 'a');
  const std::string code =
      R"({"resource":{"t":{"x":{"user_data":")" + text + "世界${nope}世界" + text + R"("}}}})";
  const auto row = redrawn("main.tf.json", code, "nope");
  EXPECT_EQ(marked(row), "nope");
  const std::string& drawn = row.snippet->code;
  const std::size_t begin = drawn.find('\n') + 1;
  const std::string line = drawn.substr(begin, drawn.find('\n', begin) - begin);
  EXPECT_LE(line.size(), limits::generated_line_bytes);
  EXPECT_TRUE(line.starts_with("  \"user_data\": \"aaa")) << line;
  EXPECT_TRUE(line.ends_with("…")) << line;
}

TEST(GeneratedSnippet, OtherFilesKeepTheirSnippet) {
  const std::string line = R"(        "input": "${var.missing}",)";
  for (const auto& [name, code] :
       {std::pair<std::string, std::string>{"main.tf.json", line},
        {"main.tf.json", "{"},
        {"main.tf", "{\"resource\": {\"t\": {\"x\": {\"input\": \"${var.missing}\"}}}}"},
        {"data.json", "{\"a\": {}}"}}) {
    auto row = fault_at(name, code, code.substr(0, 1));
    if (code == line) row.snippet->start_line = 5;
    redraw_generated(row);
    EXPECT_EQ(row.snippet->code, code);
    EXPECT_FALSE(row.snippet->path) << code;
  }
}

TEST(GeneratedSnippet, LongLineAmongOthersShowsTheInnermostObject) {
  const std::string other = "\"o\":{\"k\":\"" + std::string(300, 'o') + "\"},";
  const std::string line = other + R"("x":{"input":"${nope}","k":"other"},)" + other;
  auto row = fault_at("main.tf.json", line, "nope");
  row.snippet->start_line = 7;
  row.snippet->context = "resource.t.x";
  redraw_generated(row);
  EXPECT_EQ(row.snippet->path, "resource.t.x");
  EXPECT_EQ(row.snippet->code, "\"x\": {\n  \"input\": \"${nope}\",\n  \"k\": …\n}");
  EXPECT_EQ(row.snippet->start_line, 7);
}

TEST(GeneratedSnippet, TakesOffsetsBeyondTheCode) {
  auto row = fault_at("main.tf.json", R"({"resource":{"t":{"x":{"a":1}}}})", "{");
  row.snippet->highlight_start_offset = 5000;
  row.snippet->highlight_end_offset = -3;
  redraw_generated(row);
  EXPECT_EQ(row.snippet->code, "{\n  \"resource\": {…}\n}");
}

}  // namespace
}  // namespace tofud::diagnostics
