// Rows that are longer than a line may be.
#include "protocol/feed/encode.hpp"
#include "protocol/feed/limits.hpp"
#include "tests/protocol/feed/encoded.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <vector>

namespace tofud::feed {
namespace {

using tests::at;
using tests::done_step;
using tests::encoded;
using tests::example_diagnostic;
using tests::parsed;
using tests::run_id;
using tests::string_at;

struct cut_row {
  std::string json;
  boost::json::object object;
  std::size_t full = 0;
};

// Encodes a row that is too long and checks what every cut row has.
template <typename Row>
cut_row encoded_cut(const Row& row) {
  cut_row result;
  result.json = encoded(row, 9);
  result.object = parsed(result.json);
  result.full = encoded(row, 9, cut::no).size();
  EXPECT_LE(result.json.size(), limits::row_bytes);
  EXPECT_GT(result.full, limits::row_bytes);
  EXPECT_TRUE(result.object.contains("truncated"));
  EXPECT_EQ(result.object["truncated"], true);
  EXPECT_EQ(result.object["bytes"], result.full);
  EXPECT_TRUE(result.object.contains("href"));
  return result;
}

const std::string mixed_text = [] {
  std::string text;
  while (text.size() < 100'000) text += "plain \"quoted\" \n\x1b[1mbold grün € 😀\xff";
  return text;
}();

TEST(EncodeLimit, RowOfExactlyTheLimitIsWholeAndOneMoreIsCut) {
  text_line line{1, ""};
  const std::string text(limits::row_bytes - encoded(line, 9).size() + 1, 'x');
  line.text = std::string_view{text}.substr(1);
  EXPECT_EQ(encoded(line, 9).size(), limits::row_bytes);
  EXPECT_FALSE(parsed(encoded(line, 9)).contains("truncated"));
  line.text = text;
  const auto cut = encoded_cut(line);
  EXPECT_EQ(cut.full, limits::row_bytes + 1);
}

TEST(EncodeLimit, TextIsCutAsLateAsPossible) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(encoded_cut(text_line{1, text}).json.size(), limits::row_bytes);
  EXPECT_EQ(encoded_cut(log_line{"t.n", 1, 1, 1, {}, text}).json.size(), limits::row_bytes);
  EXPECT_EQ(encoded_cut(message_row{1, "info", "", text, {}}).json.size(), limits::row_bytes);
}

TEST(EncodeLimit, CutNeverSplitsACharacterOrAnEscape) {
  // Every alignment of the cut against the repeated text.
  for (std::size_t skip = 0; skip < 60; ++skip) {
    const std::string_view text = std::string_view{mixed_text}.substr(skip);
    const std::string whole = text::replace_invalid_utf8(text);
    const std::string shown = string_at(encoded_cut(text_line{1, text}).object, "text");
    EXPECT_TRUE(whole.starts_with(shown)) << skip;
    EXPECT_GT(shown.size(), 10'000U) << skip;
  }
}

TEST(EncodeLimit, HrefAsksForTheRowByItsPercentEncodedKey) {
  const log_line line{"module.net.aws_subnet.a[\"x y&z\"]", 3, 2, 1, {}, mixed_text};
  EXPECT_EQ(string_at(encoded_cut(line).object, "href"),
            "/v1/runs/20261121T0312-7f3a/"
            "row?kind=log&key=module.net.aws_subnet.a%5B%22x%20y%26z%22%5D%203%202%201");
}

TEST(EncodeLimit, WholeRowsAreWrittenOnRequest) {
  const std::string json = encoded(text_line{1, mixed_text}, 9, cut::no);
  EXPECT_EQ(string_at(parsed(json), "text"), text::replace_invalid_utf8(mixed_text));
  EXPECT_FALSE(parsed(json).contains("truncated"));
}

TEST(EncodeLimit, MessageLosesText) {
  const auto cut =
      encoded_cut(message_row{1, "info", "log", mixed_text, at("2026-01-01T00:00:00Z")});
  EXPECT_EQ(string_at(cut.object, "level"), "info");
  EXPECT_EQ(string_at(cut.object, "at"), "2026-01-01T00:00:00.000000Z");
}

TEST(EncodeLimit, DiagnosticLosesCodeFirst) {
  diagnostic_row row = example_diagnostic();
  row.detail = std::string(10'000, 'd');
  row.snippet->code = mixed_text;
  const auto cut = encoded_cut(row);
  EXPECT_EQ(string_at(cut.object, "detail"), row.detail);
  EXPECT_EQ(string_at(cut.object, "summary"), row.summary);
  const std::string code = string_at(cut.object.at("snippet").as_object(), "code");
  EXPECT_TRUE(text::replace_invalid_utf8(mixed_text).starts_with(code));
  EXPECT_GT(code.size(), 10'000U);
}

TEST(EncodeLimit, DiagnosticLosesDetailWhenItHasNoMoreCode) {
  diagnostic_row row = example_diagnostic();
  row.snippet->code = std::string(1000, 'c');
  row.detail = mixed_text;
  const auto cut = encoded_cut(row);
  EXPECT_EQ(string_at(cut.object.at("snippet").as_object(), "code"), "");
  EXPECT_TRUE(text::replace_invalid_utf8(mixed_text).starts_with(string_at(cut.object, "detail")));
  EXPECT_EQ(string_at(cut.object, "summary"), row.summary);
}

TEST(EncodeLimit, DiagnosticLosesValuesBeforeItsDetailAndItsSummaryLast) {
  diagnostic_row row = example_diagnostic();
  row.snippet->values = {{"var.a", "is \"" + std::string(50'000, 'v') + "\""}};
  row.detail = std::string(2000, 'd');
  auto cut = encoded_cut(row);
  EXPECT_EQ(string_at(cut.object, "detail"), row.detail);
  row.snippet.reset();
  row.summary = mixed_text;
  cut = encoded_cut(row);
  EXPECT_EQ(string_at(cut.object, "detail"), "");
  EXPECT_GT(string_at(cut.object, "summary").size(), 10'000U);
}

TEST(EncodeLimit, OutputLosesItsValueWhole) {
  output_row row;
  row.name = "inventory";
  row.type = "\"string\"";
  row.value = "\"" + std::string(40'000, 'v') + "\"";
  const auto cut = encoded_cut(row);
  EXPECT_FALSE(cut.object.contains("value"));
  EXPECT_EQ(string_at(cut.object, "type"), "string");
  EXPECT_EQ(string_at(cut.object, "href"),
            "/v1/runs/20261121T0312-7f3a/row?kind=output&key=inventory");
}

TEST(EncodeLimit, TheWayToAllOfARowHoldsWhatAProxyHasBeforeIt) {
  output_row row;
  row.name = "a/b";
  row.value = "\"" + std::string(40'000, 'v') + "\"";
  std::string out;
  encode(out, row, {run_id, 1, cut::at_limit, "/ops/tofud"});
  EXPECT_EQ(string_at(parsed(out), "href"),
            "/ops/tofud/v1/runs/20261121T0312-7f3a/row?kind=output&key=a%2Fb");
  EXPECT_LE(out.size(), limits::row_bytes);
}

TEST(EncodeLimit, OutputLosesItsTypeOnlyIfThatIsTooLongAsWell) {
  output_row row;
  row.type = "[\"" + std::string(40'000, 't') + "\"]";
  row.value = "1";
  const auto cut = encoded_cut(row);
  EXPECT_FALSE(cut.object.contains("value"));
  EXPECT_TRUE(cut.object.at("type").is_null());
}

TEST(EncodeLimit, ResourceLosesItsOldestFinishedSteps) {
  resource_row row;
  row.addr = "t.n";
  for (std::uint32_t n = 1; n <= 400; ++n) {
    row.steps.push_back(done_step(n, run_phase::apply, step_action::remove, "2026-01-01T00:00:00Z",
                                  "2026-01-01T00:00:01Z"));
  }
  row.steps[0].status = step_status::running;
  const auto cut = encoded_cut(row);
  const auto& steps = cut.object.at("steps").as_array();
  ASSERT_GT(steps.size(), 100U);
  EXPECT_EQ(cut.object.at("steps_omitted").as_int64() + static_cast<std::int64_t>(steps.size()),
            400);
  EXPECT_EQ(steps.front().at("n").as_int64(), 1);  // still running
  EXPECT_EQ(steps.back().at("n").as_int64(), 400);
  EXPECT_EQ(string_at(cut.object, "activity"), "delete");
  EXPECT_GT(cut.json.size(), limits::row_bytes - 500);  // no more than needed
}

TEST(EncodeLimit, ResourceMayLoseAllItsSteps) {
  resource_row row;
  row.steps = {done_step(1, run_phase::apply, step_action::create, "2026-01-01T00:00:00Z",
                         "2026-01-01T00:00:01Z")};
  const std::string id(40'000, 'i');
  row.steps[0].id_value = id;
  const auto cut = encoded_cut(row);
  EXPECT_TRUE(cut.object.at("steps").as_array().empty());
  EXPECT_EQ(cut.object.at("steps_omitted").as_int64(), 1);
}

TEST(EncodeLimit, AnySizeOfRowAroundTheLimitIsValidAndWithinIt) {
  for (std::size_t size = limits::row_bytes - 600; size < limits::row_bytes + 50; ++size) {
    const std::string text(size, 'x');
    const std::string json = encoded(log_line{"t.n", 1, 1, 1, {}, text}, 9);
    ASSERT_LE(json.size(), limits::row_bytes) << size;
    const bool cut =
        encoded(log_line{"t.n", 1, 1, 1, {}, text}, 9, cut::no).size() > limits::row_bytes;
    ASSERT_EQ(parsed(json).contains("truncated"), cut) << size;
  }
}

}  // namespace
}  // namespace tofud::feed
