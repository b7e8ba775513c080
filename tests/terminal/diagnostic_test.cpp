#include "daemon/terminal/diagnostic.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal {
namespace {

using texts = std::vector<std::string>;

feed::diagnostic_row diagnostic(std::string severity, std::string summary) {
  feed::diagnostic_row row;
  row.severity = std::move(severity);
  row.summary = std::move(summary);
  return row;
}

TEST(TerminalDiagnostic, IsDrawnInLines) {
  EXPECT_EQ(diagnostic_lines(diagnostic("error", "no"), text::ink::colours::no),
            (texts{"╷", "│ Error: no", "│", "╵"}));
}

TEST(TerminalDiagnostic, HasNoControlCharactersButColours) {
  const std::string hostile = "a\x1b]0;pwned\a\x1b[31mb\u202e\u0085\x1b[2Jc\rd";
  feed::diagnostic_row row = diagnostic("error", hostile);
  row.detail = row.address = hostile;
  row.range = feed::source_range{hostile, {}, {}};
  row.snippet = feed::source_snippet{hostile, hostile, 1, 3, 9, {{hostile, hostile}}, ""};
  row.snippet->function_call =
      R"({"called_as":"f\u001b[2J","signature":{"params":[{"name":"\u001b[2J\u0007"}]}})";
  for (const std::string& line : diagnostic_lines(row, text::ink::colours::no)) {
    EXPECT_EQ(line.find_first_of("\x1b\a\n\r"), std::string::npos) << line;
    EXPECT_EQ(line.find("\u202e"), std::string::npos) << line;
    EXPECT_EQ(line.find("\u0085"), std::string::npos) << line;
  }
  for (std::string line : diagnostic_lines(row, text::ink::colours::yes)) {
    for (const std::string own : {"\x1b[0m", "\x1b[1m", "\x1b[4m", "\x1b[90m"}) {
      for (std::size_t at = 0; (at = line.find(own)) != std::string::npos;)
        line.erase(at, own.size());
    }
    // Red is tofud's own where a piece of the frame follows.
    for (std::size_t at = 0; (at = line.find("\x1b[31m", at)) != std::string::npos;) {
      const std::string behind = line.substr(at + 5);
      EXPECT_TRUE(behind.starts_with("│") || behind.starts_with("╷") || behind.starts_with("╵") ||
                  behind.starts_with("Error: "))
          << line;
      line.erase(at, 5);
    }
    EXPECT_EQ(line.find_first_of("\x1b\a\n\r"), std::string::npos) << line;
  }
}

TEST(TerminalDiagnostic, ShortFormIsOneLineWithThePlace) {
  feed::diagnostic_row row = diagnostic("warning", "\nDepre\x1b[1mcated\nmore");
  row.address = "t.n";
  row.range = feed::source_range{"main.tf", {4, 1, 0}, {4, 9, 8}};
  EXPECT_EQ(diagnostic_in_short(row), "Warning: Deprecated, with t.n, on main.tf line 4");
  EXPECT_EQ(diagnostic_in_short(diagnostic("error", "no")), "Error: no");
}

TEST(TerminalDiagnostic, AMissingApprovalIsExplainedWithTheWaysOut) {
  const auto lines = advice(diagnostic("error", "Plan file or auto-approve required"));
  std::string all;
  for (const std::string_view line : lines) all.append(line).append("\n");
  for (const char* way : {"-auto-approve", "tofu apply -json PLAN", "tofud run -- tofu apply"}) {
    EXPECT_NE(all.find(way), std::string::npos) << way;
  }
  EXPECT_TRUE(advice(diagnostic("error", "Invalid index")).empty());
}

}  // namespace
}  // namespace tofud::terminal
