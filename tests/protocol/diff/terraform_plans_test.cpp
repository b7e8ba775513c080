// Plans of Terraform, drawn as Terraform draws them.
#include "protocol/diff/plan_text.hpp"
#include "protocol/schema/provider_schemas.hpp"
#include "tests/paths.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tofud::diff {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

struct recorded_plan {
  std::string name;
  std::filesystem::path plan, text;
  plan_mode mode = plan_mode::normal;
  bool coloured = false;
};

std::vector<recorded_plan> recorded_plans() {
  std::vector<recorded_plan> found;
  for (const auto& each : std::filesystem::directory_iterator{PLAN_TEXTS}) {
    const auto plan = each.path() / "plan.json";
    if (!std::filesystem::exists(plan) || content_of(plan).size() < 10) continue;
    const std::string given = content_of(each.path() / "case.json");
    const auto has = [&](std::string_view word) { return given.find(word) != std::string::npos; };
    const plan_mode mode = has("\"-destroy\"")        ? plan_mode::destroy
                           : has("\"-refresh-only\"") ? plan_mode::refresh_only
                                                      : plan_mode::normal;
    found.push_back(
        {each.path().filename(), plan, each.path() / "shown.txt", mode, !has("-no-color")});
  }
  for (const char* version : {"1.5.7", "1.9.8", "1.17", "1.17-actions"}) {
    const auto folder =
        std::filesystem::path{TEST_RECORDINGS} / (std::string{"version-terraform-"} + version);
    found.push_back({folder.filename(), folder / "plan.json", folder / "plan.human.txt"});
  }
  std::sort(found.begin(), found.end(),
            [](const recorded_plan& a, const recorded_plan& b) { return a.name < b.name; });
  return found;
}

void PrintTo(const recorded_plan& each, std::ostream* out) { *out << each.name; }

class TerraformPlans : public testing::TestWithParam<recorded_plan> {};

TEST_P(TerraformPlans, AreDrawnAsTerraformDrawsThem) {
  const std::string known = content_of(std::filesystem::path{PLAN_TEXTS} / "schemas.json");
  auto parser = test::whole_document();
  ASSERT_FALSE(parser.parse(known));
  const auto schemas = schema::read_provider_schemas(parser.root());
  ASSERT_TRUE(schemas);
  plan_drawing wanted;
  wanted.known.schemas = &*schemas;
  wanted.mode = GetParam().mode;
  wanted.colours = GetParam().coloured ? text::ink::colours::yes : text::ink::colours::no;
  const std::string json = content_of(GetParam().plan);
  const auto plan = plan::read(json);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->made_by(), plan::product::terraform);
  std::string text;
  ASSERT_TRUE(draw(*plan, wanted, [&](std::string_view piece) { text.append(piece); }));
  EXPECT_EQ(text, content_of(GetParam().text));
}

std::string test_name(const testing::TestParamInfo<recorded_plan>& plan) {
  std::string name = plan.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Recorded, TerraformPlans, testing::ValuesIn(recorded_plans()), test_name);

TEST(MadeBy, IsSeenInWhatThePlanHas) {
  const auto made_by = [](std::string_view members) {
    const std::string text = R"({"format_version":"1.2",)" + std::string{members} + "}";
    return plan::read(text)->made_by();
  };
  EXPECT_EQ(made_by(R"("terraform_version":"1.11.4","applyable":true,"errored":false)"),
            plan::product::terraform);
  EXPECT_EQ(made_by(R"("terraform_version":"1.5.7")"), plan::product::terraform);
  EXPECT_EQ(made_by(R"("terraform_version":"1.6.3","errored":false)"), plan::product::opentofu);
  EXPECT_EQ(made_by(R"("terraform_version":"1.12.6")"), plan::product::opentofu);
  EXPECT_EQ(made_by(R"("terraform_version":"2.0.0")"), plan::product::opentofu);
}

}  // namespace
}  // namespace tofud::diff
