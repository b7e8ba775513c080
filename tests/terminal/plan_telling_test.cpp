#include "daemon/terminal/plan_telling.hpp"

#include "tests/paths.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tofud::terminal {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::vector<std::filesystem::path> plan_texts() {
  std::vector<std::filesystem::path> found;
  for (const auto& each : std::filesystem::directory_iterator{PLAN_TEXTS}) {
    if (each.is_directory()) found.push_back(each.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The lines before the plan come in any order: Terraform reads several things at once.
std::string with_sorted_head(const std::string& text) {
  std::vector<std::string> lines;
  boost::split(lines, text, boost::is_any_of("\n"));
  const auto end = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find(": Re") == std::string::npos && line.find(": Prep") == std::string::npos;
  });
  std::sort(lines.begin(), end);
  std::string joined;
  for (const std::string& line : lines) joined += line + "\n";
  return joined;
}

struct both_outputs {
  std::string out, err;
};

both_outputs told(const std::filesystem::path& plan) {
  const std::string stream = text_of(plan / "stream.jsonl");
  const std::string shown = text_of(plan / "shown.txt");
  const std::string given = text_of(plan / "case.json");
  const auto colours = given.find("-no-color") == std::string::npos ? text::ink::colours::yes
                                                                    : text::ink::colours::no;
  both_outputs texts;
  const auto to = [](std::string& text) {
    return [&text](std::string_view line) { text.append(line).append("\n"); };
  };
  plan_telling before{plan_telling::part::before_plan, to(texts.out), to(texts.err), colours};
  before.feed(stream);
  before.end();
  if (before.has_plan()) texts.out += shown;
  plan_telling behind{plan_telling::part::behind_plan, to(texts.out), to(texts.err), colours};
  behind.feed(stream);
  behind.end();
  std::string file;
  if (const auto at = given.find("-out="); at != std::string::npos)
    file = given.substr(at + 5, given.find('"', at) - at - 5);
  shown_plan_reader reader;
  for (std::size_t at = 0; at < shown.size(); at += 5) reader.feed(shown.substr(at, 5));
  if (before.has_plan() && reader.can_be_applied() &&
      given.find("TF_IN_AUTOMATION") == std::string::npos)
    texts.out += plan_next_step("Terraform", file, colours);
  return texts;
}

class PlanTexts : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PlanTexts, AreGivenBackByteForByte) {
  const both_outputs ours = told(GetParam());
  EXPECT_EQ(with_sorted_head(ours.out), with_sorted_head(text_of(GetParam() / "stdout.txt")));
  EXPECT_EQ(ours.err, text_of(GetParam() / "stderr.txt"));
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& plan) {
  std::string name = plan.param.filename();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Recorded, PlanTexts, testing::ValuesIn(plan_texts()), name_of);

TEST(PlanTelling, FindsAtLeastTwentyRecordedPlans) { EXPECT_GE(plan_texts().size(), 20U); }

}  // namespace
}  // namespace tofud::terminal
