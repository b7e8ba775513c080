#include "daemon/forge/run_words.hpp"

#include "daemon/forge/limits.hpp"
#include "tests/exports/rows.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tofud::forge {
namespace {

using exports::test::hostile;
using exports::test::small_run;

const exports::plan_writer no_plan = [](std::string&, std::size_t) {};
constexpr auto* page = "https://tofud.example.com/?run=1";

TEST(RunWords, OfAnApply) {
  small_run run;
  run.rows().run.stack = "net/prod";
  run.rows().run.applied = feed::change_counts{3, 1, 0, 0, 0};
  run.resource("a.b", feed::resource_status::done);
  const auto said = contribution_of(run.rows(), of_run::apply, page, no_plan);
  EXPECT_EQ(said.stack, "net/prod");
  EXPECT_EQ(said.said.of, risk::applied);
  EXPECT_EQ(said.said.head,
            "✅ **applied 01:46 UTC in 10s**: 3 added, 1 changed, 0 destroyed · [open the "
            "run](https://tofud.example.com/?run=1)");
  EXPECT_NE(said.said.rest.find("`a.b`"), std::string::npos);
  const auto status = status_of(run.rows().run, of_run::apply, page);
  EXPECT_EQ(status.context, "tofud/apply/net/prod");
  EXPECT_EQ(status.description, "+3 ~1 -0, applied 01:46 UTC in 10s");
  EXPECT_EQ(status.page, page);
}

TEST(RunWords, OfAPlanItsRiskAndWhatItDraws) {
  small_run run;
  run.rows().run.command = feed::run_command::plan;
  const auto risk_with = [&run](const feed::change_counts& counts) {
    run.rows().run.planned = counts;
    return contribution_of(run.rows(), of_run::plan, page, no_plan).said.of;
  };
  EXPECT_EQ(risk_with({0, 0, 0, 0, 0}), risk::none);
  EXPECT_EQ(status_of(run.rows().run, of_run::plan, page).description, "no changes");
  EXPECT_EQ(risk_with({1, 0, 0, 0, 0}), risk::changes);
  run.rows().run.planned = feed::change_counts{};
  run.rows().run.planned->remove = 1;
  run.rows().run.planned->import = 2;
  EXPECT_EQ(status_of(run.rows().run, of_run::plan, page).description, "+0 ~0 -1, 2 to import");
  run.resource("a.b", feed::resource_status::planned);
  const auto said = contribution_of(
      run.rows(), of_run::plan, page,
      [](std::string& out, std::size_t) { out += "### Plan: 0 to add\n\ndrawn\n"; });
  EXPECT_EQ(said.said.of, risk::destroys);
  EXPECT_EQ(said.said.rest, "\n\ndrawn\n");
}

TEST(RunWords, OfAFailure) {
  small_run run;
  run.rows().run.status = feed::run_status::failed;
  run.rows().run.progress = {2, 7};
  run.rows().run.diagnostics.errors = 1;
  EXPECT_EQ(contribution_of(run.rows(), of_run::apply, "", no_plan).said.head,
            "❌ **apply failed 01:46 UTC after 10s**: 2 of 7 done · 1 error");
  const auto status = status_of(run.rows().run, of_run::apply, "");
  EXPECT_EQ(status.state, state::failure);
  EXPECT_EQ(status.description, "apply failed 01:46 UTC after 10s, 1 error");
}

TEST(RunWords, NothingFromOutsideGetsOutOfItsPlace) {
  small_run run;
  run.rows().run.stack = std::string{hostile} + std::string(400, 'x');
  const auto status =
      status_of(run.rows().run, of_run::apply, "https://x/) [y](https://evil.example");
  EXPECT_EQ(status.page, "");
  EXPECT_LE(status.context.size(), limits::forge_context_bytes + 3);
  EXPECT_EQ(status.context.find_first_of("\r\n\x1b"), std::string::npos);
  EXPECT_EQ(contribution_of(run.rows(), of_run::apply, "javascript:alert(1)", no_plan)
                .said.head.find("]("),
            std::string::npos);
}

TEST(RunWords, OfOtherCommandsNothingIsSaid) {
  feed::run_view run;
  run.command = feed::run_command::test;
  EXPECT_EQ(kind_of(run), std::nullopt);
  run.command = feed::run_command::destroy;
  EXPECT_EQ(kind_of(run), of_run::apply);
}

}  // namespace
}  // namespace tofud::forge
