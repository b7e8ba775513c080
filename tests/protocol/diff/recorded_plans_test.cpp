// Every recorded plan against the text that the program which made it wrote of it.
#include "protocol/diff/plan_text.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tofud::diff {
namespace {

namespace fs = std::filesystem;

struct recorded_plan {
  std::string name, json, human;
};

std::vector<recorded_plan> recorded_plans() {
  std::vector<recorded_plan> found;
  constexpr std::string_view ending = "plan.human.txt";
  for (const auto& file : fs::recursive_directory_iterator{TEST_RECORDINGS}) {
    std::string path = file.path().string();
    if (path.ends_with(".gz")) path.resize(path.size() - 3);
    if (!path.ends_with(ending)) continue;
    const std::string stem = path.substr(0, path.size() - ending.size()) + "plan.json";
    recorded_plan one;
    one.name =
        file.path().parent_path().filename().string() + "/" + fs::path{path}.filename().string();
    one.human = test::unpacked(file.path().string());
    one.json = test::unpacked(fs::exists(stem) ? stem : stem + ".gz");
    found.push_back(std::move(one));
  }
  std::sort(found.begin(), found.end(),
            [](const auto& one, const auto& other) { return one.name < other.name; });
  return found;
}

void replace_all(std::string& in, std::string_view from, std::string_view to) {
  for (std::size_t at = in.find(from); at != std::string::npos; at = in.find(from, at + to.size()))
    in.replace(at, from.size(), to);
}

// The table of README.md: lines of older versions as they come out here.
std::string as_of_opentofu_1_12(const recorded_plan& plan, std::string_view version) {
  std::string text = plan.human;
  const bool old =
      version.starts_with("1.6.") || version.starts_with("1.8.") || version.starts_with("1.10.");
  if (old) replace_all(text, "  ~ update in-place\n", "  ~ update in-place (current -> planned)\n");
  return text;
}

TEST(RecordedPlans, ComeOutAsTheyWereWritten) {
  const std::string known =
      test::unpacked(std::string{TEST_GOLDEN} + "/schemas/recordings.json.gz");
  auto parser = test::whole_document();
  ASSERT_FALSE(parser.parse(known));
  const auto schemas = schema::read_provider_schemas(parser.root());
  ASSERT_TRUE(schemas);
  std::size_t others = 0;
  const auto plans = recorded_plans();
  for (const recorded_plan& each : plans) {
    const auto document = plan::read(each.json);
    ASSERT_TRUE(document) << each.name;
    plan_drawing wanted;
    wanted.known.schemas = &*schemas;
    if (each.name.find("/refresh-only.") != std::string::npos)
      wanted.mode = plan_mode::refresh_only;
    std::string text;
    const auto drawn = draw(*document, wanted, [&](std::string_view piece) { text.append(piece); });
    ASSERT_TRUE(drawn) << each.name;
    EXPECT_EQ(drawn->without_schema, 0) << each.name;
    EXPECT_EQ(text, as_of_opentofu_1_12(each, document->terraform_version)) << each.name;
    others += text != each.human ? 1 : 0;
  }
  EXPECT_EQ(plans.size(), 68);
  EXPECT_EQ(others, 3);
}

}  // namespace
}  // namespace tofud::diff
