// What the rows leave out where somebody says so, over all recordings: texts, and nothing else.
#include "daemon/correlator/text_policy.hpp"

#include "daemon/pipeline/final_rows.hpp"
#include "tests/correlator/by_hand.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::test {
namespace {

using correlator::text_policy;

std::vector<object> rows_with(const text_policy& shows, const std::string& stream) {
  correlator::run_identity identity;
  identity.id = "r";
  identity.shows = shows;
  pipeline::engine engine{std::move(identity)};
  const pipeline::final_rows rows{engine};
  engine.feed(stream);
  engine.end();
  std::string all;
  rows.write([&](std::string_view row) {
    all.append(row);
    return true;
  });
  return parse_rows(all);
}

constexpr text_policy nothing_hidden, no_programs{false, true}, no_values{true, false};

bool is_of(const object& row, std::string_view kind) {
  return row.at("kind") == boost::json::string_view{kind.data(), kind.size()};
}

TEST(TextPolicy, ProvisionerOutputIsHidden) {
  stream run;
  run.version().start("t.a", "create").provision("start", "t.a");
  run.provision("progress", "t.a", "password: hunter22").provision("complete", "t.a");
  run.complete("t.a", "create");
  const auto shown = rows_with(nothing_hidden, run.text());
  const auto hidden = rows_with(no_programs, run.text());
  ASSERT_EQ(shown.size(), hidden.size());
  std::size_t lines = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    EXPECT_EQ(boost::json::serialize(hidden[i]).find("hunter22"), std::string::npos);
    if (!is_of(shown[i], "log")) {
      EXPECT_EQ(shown[i], hidden[i]);
      continue;
    }
    ++lines;
    EXPECT_EQ(shown[i].at("seq"), hidden[i].at("seq"));
    EXPECT_EQ(shown[i].at("text"), "password: hunter22");
    EXPECT_EQ(hidden[i].at("text"), "(left out)");
  }
  EXPECT_EQ(lines, 1U);
}

TEST(TextPolicy, ChangedPolicyCountsForLaterText) {
  stream first, second;
  first.version().start("t.a", "create").provision("start", "t.a");
  first.provision("progress", "t.a", "before");
  second.provision("progress", "t.a", "after").provision("complete", "t.a");
  second.complete("t.a", "create");
  std::string lines;
  struct : correlator::row_sink {
    void line(correlator::run_state&, const feed::line_change& line) override {
      all->append(line.json).push_back('\n');
    }
    std::string* all = nullptr;
  } watcher;
  watcher.all = &lines;
  correlator::run_identity identity;
  identity.id = "r";
  correlator::stream_fold fold{std::move(identity), watcher};
  fold.feed(first.text());
  fold.show(no_programs);
  fold.feed(second.text());
  fold.end();
  EXPECT_NE(lines.find("\"before\""), lines.npos);
  EXPECT_EQ(lines.find("\"after\""), lines.npos);
  EXPECT_NE(lines.find("\"(left out)\""), lines.npos);
}

TEST(TextPolicy, TheErrorOfAProvisionerIsHidden) {
  stream run;
  run.version().message(
      R"("type":"diagnostic","diagnostic":{"severity":"error","summary":"local-exec provisioner error","detail":"Error running command 'x': exit status 1. Output: hunter22\nmore"})");
  const auto detail = [&](const text_policy& shows) {
    for (const object& row : rows_with(shows, run.text())) {
      if (is_of(row, "diagnostic")) return std::string{row.at("detail").as_string()};
    }
    return std::string{};
  };
  EXPECT_EQ(detail(no_programs), "Error running command 'x': exit status 1. Output: (left out)");
  EXPECT_EQ(boost::json::serialize(rows_with(no_programs, run.text()).front()).find("hunter22"),
            std::string::npos);
  EXPECT_NE(detail(no_values).find("hunter22"), std::string::npos);
}

TEST(TextPolicy, TheValuesOfASnippetAreHiddenAndItsCodeIsNot) {
  stream run;
  run.version().message(
      R"("type":"diagnostic","diagnostic":{"severity":"error","summary":"s","detail":"d","snippet":{"context":"c","code":"x = var.a","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[{"traversal":"var.a","statement":"is \"hunter22\""}]}})");
  for (const object& row : rows_with(no_values, run.text())) {
    if (!is_of(row, "diagnostic")) continue;
    const object& snippet = row.at("snippet").as_object();
    EXPECT_EQ(snippet.at("code"), "x = var.a");
    EXPECT_TRUE(snippet.at("values").as_array().empty());
  }
  EXPECT_NE(boost::json::serialize(rows_with(nothing_hidden, run.text()).back()).find("hunter22"),
            std::string::npos);
}

TEST(TextPolicy, ChangesNoRowButItsTextsInAnyRecording) {
  std::size_t left_out = 0;
  std::size_t values = 0;
  for (const recorded& each : all_recordings()) {
    SCOPED_TRACE(testing::PrintToString(each));
    const auto text = read_file(each.path);
    ASSERT_TRUE(text);
    const auto shown = rows_with(nothing_hidden, *text);
    const auto hidden = rows_with({false, false}, *text);
    ASSERT_EQ(shown.size(), hidden.size());
    for (std::size_t i = 0; i < shown.size(); ++i) {
      object was = shown[i];
      object is = hidden[i];
      for (object* row : {&was, &is}) {
        if (is_of(*row, "log") || is_of(*row, "text")) {
          for (const char* field : {"text", "truncated", "bytes", "href"}) row->erase(field);
        }
        row->erase("failure");  // says what the detail says
        if (!is_of(*row, "diagnostic")) continue;
        for (const char* field : {"detail", "truncated", "bytes", "href"}) row->erase(field);
        if (auto* snippet = row->at("snippet").if_object()) {
          values += row == &was ? snippet->at("values").as_array().size() : 0;
          EXPECT_TRUE(row == &was || snippet->at("values").as_array().empty());
          snippet->erase("values");
        }
      }
      ASSERT_EQ(was, is);
      if (is_of(hidden[i], "log")) {
        ASSERT_EQ(hidden[i].at("text"), "(left out)");
        ++left_out;
      }
    }
  }
  EXPECT_GT(left_out, 100U);
  EXPECT_GT(values, 10U);
}

}  // namespace
}  // namespace tofud::test
