// The worked example of protocol/ui/README.md, read as the page says it is.
#include "protocol/ui/parse_message.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <vector>

namespace tofud::ui {
namespace {

// The lines of the first block that is fenced with ```jsonl.
std::vector<std::string> example() {
  std::ifstream page{UI_PAGE};
  std::vector<std::string> lines;
  bool inside = false;
  for (std::string text; std::getline(page, text);) {
    if (text == "```jsonl")
      inside = true;
    else if (inside && text == "```")
      break;
    else if (inside)
      lines.push_back(text);
  }
  return lines;
}

// What became of a line, in one word or two.
std::string word(const parsed_line& line) {
  if (!line.head) return "text";
  const std::string before = line.text ? "text, " : "";
  if (std::holds_alternative<malformed>(line.body)) return before + "malformed";
  if (std::holds_alternative<unknown>(line.body)) return before + "unknown";
  return before +
         (std::holds_alternative<untyped>(line.body) ? "untyped" : std::string{line.head->type});
}

TEST(UiPage, WorkedExampleIsReadAsThePageSays) {
  message_parser parser;
  std::vector<std::string> read;
  for (const std::string& line : example()) read.push_back(word(parser.parse(line)));
  EXPECT_EQ(read,
            (std::vector<std::string>{"text", "version", "planned_change", "change_summary",
                                      "apply_start", "provision_progress", "apply_complete",
                                      "change_summary", "text, outputs", "untyped", "unknown"}));
}

TEST(UiPage, EveryTypeTheParserReadsIsOnThePage) {
  std::ifstream file{UI_PAGE};
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  for (const char* const type : {"version",
                                 "log",
                                 "diagnostic",
                                 "planned_change",
                                 "resource_drift",
                                 "change_summary",
                                 "outputs",
                                 "apply_start",
                                 "apply_progress",
                                 "apply_complete",
                                 "apply_errored",
                                 "provision_start",
                                 "provision_progress",
                                 "provision_complete",
                                 "provision_errored",
                                 "refresh_start",
                                 "refresh_complete",
                                 "ephemeral_action_started",
                                 "ephemeral_action_complete",
                                 "ephemeral_op_start",
                                 "ephemeral_op_progress",
                                 "ephemeral_op_complete",
                                 "ephemeral_op_errored",
                                 "test_abstract",
                                 "test_file",
                                 "test_run",
                                 "test_summary",
                                 "test_plan",
                                 "test_state",
                                 "test_interrupt",
                                 "test_cleanup",
                                 "state_lock_acquire",
                                 "state_lock_release",
                                 "resource_address",
                                 "replace_provider",
                                 "workspace_list",
                                 "output",
                                 "init_output"}) {
    EXPECT_NE(text.find("`" + std::string{type} + "`"), std::string::npos) << type;
  }
}

}  // namespace
}  // namespace tofud::ui
