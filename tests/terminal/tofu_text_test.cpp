#include "daemon/terminal/tofu_text.hpp"

#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace tofud::terminal {
namespace {

std::string told(std::string_view stream, text::ink::colours colours = text::ink::colours::no) {
  std::string text;
  const auto to_text = [&](std::string_view line) { text.append(line).append("\n"); };
  tofu_text telling{to_text, to_text, colours};
  telling.feed(stream);
  telling.end();
  return text;
}

std::string recorded(const std::string& name) {
  std::ifstream file{std::string{TEST_RECORDINGS} + "/" + name, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(TofuText, PrintsTheSameAsOpenTofu) {
  const std::string text = told(recorded("apply-slow-progress/stream.jsonl"));
  EXPECT_NE(text.find("\nPlan: 8 to add, 0 to change, 0 to destroy"), std::string::npos);
  EXPECT_NE(text.find("time_sleep.database: Creating..."), std::string::npos);
  EXPECT_NE(text.find("Apply complete! Resources: 8 added, 0 changed, 0 destroyed"),
            std::string::npos);
  EXPECT_EQ(text.find("@level"), std::string::npos);
}

TEST(TofuText, DrawsErrors) {
  const std::string text = told(recorded("apply-provider-errors/stream.jsonl"));
  EXPECT_NE(text.find("╷\n│ Error: Create local file error\n│\n"), std::string::npos);
}

TEST(TofuText, NamesOutputsWithTheirValuesAndNoSensitiveOne) {
  const std::string text = told(recorded("outputs-all-types/stream.jsonl"));
  EXPECT_NE(text.find("\nOutputs:\n\n"), std::string::npos);
  EXPECT_NE(text.find(" = <sensitive>\n"), std::string::npos);
}

TEST(TofuText, AnEmptyLineStandsBeforeASummaryAndBeforeTheOutputs) {
  const std::string text = told(recorded("outputs-all-types/stream.jsonl"));
  const std::size_t end = text.find("\n\nApply complete! Resources: ");
  ASSERT_NE(end, std::string::npos) << text;
  EXPECT_EQ(text.find("\n\n\n"), std::string::npos) << text;
  const std::size_t outputs = text.find("\n\nOutputs:\n\n", end);
  ASSERT_NE(outputs, std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin() + static_cast<std::ptrdiff_t>(end) + 2,
                       text.begin() + static_cast<std::ptrdiff_t>(outputs), '\n'),
            0);
}

TEST(TofuText, OtherLinesArePassedOn) {
  EXPECT_EQ(told("hello\nworld"), "hello\nworld\n");
  EXPECT_EQ(told("\n"), "\n");
}

TEST(TofuText, TextFromOutsideDoesNotSteerTheTerminal) {
  const std::string stream =
      R"({"@level":"info","@message":"x: (local-exec): \u001b]0;owned\u0007\u001b[2J","@module":"tofu.ui","@timestamp":"2026-11-21T03:12:00.000000Z","type":"log"})"
      "\n\x1b[31mred\x1b[2J\n";
  EXPECT_EQ(told(stream), "x: (local-exec): \nred\n");
  EXPECT_EQ(told(stream, text::ink::colours::yes).find("\x1b[2J"), std::string::npos);
}

TEST(TofuText, IsTheSameHoweverTheStreamIsCut) {
  const std::string stream = recorded("apply-provider-errors/stream.jsonl");
  std::string text;
  const auto to_text = [&](std::string_view line) { text.append(line).append("\n"); };
  tofu_text telling{to_text, to_text, text::ink::colours::no};
  for (std::size_t at = 0; at < stream.size(); at += 7)
    telling.feed(std::string_view{stream}.substr(at, 7));
  telling.end();
  EXPECT_EQ(text, told(stream));
}

}  // namespace
}  // namespace tofud::terminal
