#include "protocol/diff/plan_text.hpp"

#include "protocol/schema/provider_schemas.hpp"
#include "tests/protocol/golden_cases.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::diff {
namespace {

plan_mode mode_named(const std::string& name) {
  if (name == "destroy") return plan_mode::destroy;
  return name == "refresh-only" ? plan_mode::refresh_only : plan_mode::normal;
}

std::string drawn(std::string_view plan, const plan_drawing& wanted) {
  const auto document = plan::read(plan);
  if (!document) return document.error().sentence;
  std::string text;
  const auto done = draw(*document, wanted, [&](std::string_view piece) { text.append(piece); });
  return done ? text : done.error().sentence;
}

// How many cases a file has; each is drawn as OpenTofu drew it.
std::size_t drawn_like_opentofu(const std::string& file) {
  std::size_t cases = 0;
  test::for_each_case(std::string{GOLDEN} + "/" + file, [&](const test::golden_case& each) {
    ++cases;
    auto parser = test::whole_document();
    EXPECT_FALSE(parser.parse(each.raw("schemas")));
    const auto schemas = schema::read_provider_schemas(parser.root());
    ASSERT_TRUE(schemas) << each.string("name");
    plan_drawing wanted;
    wanted.known.schemas = &*schemas;
    wanted.mode = mode_named(each.string("mode"));
    EXPECT_EQ(drawn(each.raw("plan"), wanted), each.string("human")) << each.string("name");
    wanted.colours = render::ink::colours::yes;
    EXPECT_EQ(drawn(each.raw("plan"), wanted), each.string("human_color")) << each.string("name");
  });
  return cases;
}

TEST(PlanText, CasesOfOpenTofuComeOutTheSame) {
  EXPECT_EQ(drawn_like_opentofu("plan-render.jsonl.gz"), 95);
}

TEST(PlanText, RandomPlansComeOutTheSame) {
  EXPECT_EQ(drawn_like_opentofu("plan-render-random.jsonl.gz"), 600);
}

TEST(PlanText, DriftModesAndWriteOnlyAttributesComeOutTheSame) {
  EXPECT_EQ(drawn_like_opentofu("plan-render-wide.jsonl.gz"), 300);
}

}  // namespace
}  // namespace tofud::diff
