#include "daemon/terminal/github.hpp"

#include <gtest/gtest.h>

namespace tofud::terminal::github {
namespace {

feed::diagnostic_row invalid_index() {
  feed::diagnostic_row row;
  row.severity = "error";
  row.summary = "Invalid index: 1, 2";
  row.detail = "First 100%.\r\nSecond: a, b.";
  row.address = "t.n";
  row.range = feed::source_range{"a,b:c/main.tf", {4, 1, 0}, {6, 9, 8}};
  return row;
}

TEST(GithubAnnotation, NamesFileLinesAndTitle) {
  EXPECT_EQ(annotation(invalid_index(), ""),
            "::error file=a%2Cb%3Ac/main.tf,line=4,endLine=6,title=Invalid index%3A 1%2C 2::"
            "t.n: First 100%25.%0ASecond: a, b.");
}

TEST(GithubAnnotation, FilesAreSeenFromTheRootOfTheRepository) {
  feed::diagnostic_row row = invalid_index();
  row.range = feed::source_range{"main.tf", {4, 1, 0}, {4, 9, 8}};
  EXPECT_EQ(annotation(row, "live/net").substr(0, 49),
            "::error file=live/net/main.tf,line=4,title=Invali");
  row.range->filename = "../../mods/m/main.tf";
  EXPECT_EQ(annotation(row, "live/net").substr(0, 33), "::error file=mods/m/main.tf,line=");
  EXPECT_EQ(folder("/w/repo", "/w/repo/live/net"), "live/net");
  EXPECT_EQ(folder("/w/repo/", "/w/repo"), "");
  EXPECT_EQ(folder("/w/repo", "/w/elsewhere"), "");
  EXPECT_EQ(folder("/w/repo", "/w/repository/net"), "");
  EXPECT_EQ(folder("", "/w"), "");
}

TEST(GithubAnnotation, DiagnosticWithoutRangeAndDetailIsItsSummary) {
  feed::diagnostic_row row;
  row.severity = "warning";
  row.summary = "Old";
  EXPECT_EQ(annotation(row, "x"), "::warning title=Old::Old");
}

TEST(GithubAnnotation, TheOwnerIsNamedHoweverLongTheTextIs) {
  feed::diagnostic_row row;
  row.severity = "error";
  row.summary = "S";
  row.detail = std::string(10'000, 'x');
  const std::string made = annotation(row, "", {"@db", "https://w", {}});
  EXPECT_TRUE(made.ends_with("…%0Aowner @db · runbook https://w")) << made.substr(4000);
}

TEST(GithubAnnotation, LongTextIsCutBetweenCharacters) {
  feed::diagnostic_row row = invalid_index();
  row.address = "";
  row.range.reset();
  row.summary = "S";
  row.detail.clear();
  while (row.detail.size() < 10'000) row.detail += "世";
  const std::string made = annotation(row, "");
  EXPECT_EQ(made.size(), std::string_view{"::error title=S::"}.size() + 4095 + 3);
  EXPECT_TRUE(made.ends_with("世…"));
}

TEST(GithubAnnotation, NothingFromOutsideBeginsACommandOfItsOwn) {
  feed::diagnostic_row row = invalid_index();
  const std::string hostile = "x\n::add-mask::y\r::set-env name=a::b\x1b[2J##[error]z::";
  row.summary = row.detail = row.address = hostile;
  row.range->filename = hostile;
  const std::string made = annotation(row, "");
  EXPECT_EQ(made.find_first_of("\n\r\x1b"), std::string::npos);
  EXPECT_EQ(made.find("##["), std::string::npos);
  // The properties end with the first "::" behind them; none may come from within.
  const std::string properties = made.substr(8, made.find("::", 8) - 8);
  EXPECT_NE(properties.find("title="), std::string::npos);
}

TEST(GithubGroup, HasAPlainTitle) {
  EXPECT_EQ(group("apply of\nrun 2"), "::group::apply of run 2");
}

TEST(GithubDefused, OrdinaryLinesStayAsTheyAre) {
  for (const char* line : {"05:22:42 [ 0/13] Plan: 13 to add", "  a::b: failed", "", "   ", "│ x",
                           "# [x]", "a ::error::b"}) {
    EXPECT_EQ(defused(line), line);
  }
}

TEST(GithubDefused, ACommandBecomesPlainText) {
  EXPECT_EQ(defused("::error::x"), "| ::error::x");
  EXPECT_EQ(defused("  \t ::add-mask::x"), "|   \t ::add-mask::x");
  EXPECT_EQ(defused("\xC2\xA0\xE3\x80\x80::x"), "| \xC2\xA0\xE3\x80\x80::x");
  EXPECT_EQ(defused("a ##[group]x ###[endgroup]"), "a ## [group]x ### [endgroup]");
}

// The runner's own tests (ActionCommand.cs), on whatever a line may begin with.
TEST(GithubDefused, EveryShortLineBecomesPlainText) {
  const std::string alphabet[] = {":", "#", "[", " ", "\t", "\xC2\xA0", "a"};
  std::vector<std::string> lines{""};
  for (std::size_t begin = 0, length = 0; length < 6; ++length) {
    const std::size_t end = lines.size();
    for (; begin < end; ++begin) {
      for (const std::string& each : alphabet) lines.push_back(lines[begin] + each);
    }
  }
  for (const std::string& line : lines) {
    const std::string made = defused(line);
    std::string_view trimmed = made;
    while (!trimmed.empty()) {
      if (trimmed.front() == ' ' || trimmed.front() == '\t') {
        trimmed.remove_prefix(1);
      } else if (trimmed.starts_with("\xC2\xA0")) {
        trimmed.remove_prefix(2);
      } else {
        break;
      }
    }
    ASSERT_FALSE(trimmed.starts_with("::")) << line;
    ASSERT_EQ(made.find("##["), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace tofud::terminal::github
