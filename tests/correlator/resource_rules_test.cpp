// The rules from hooks to resource rows, one test each.
#include "tests/correlator/by_hand.hpp"

namespace tofud::test {
namespace {

// ---- steps --------------------------------------------------------------------------

TEST(Steps, AReplaceIsTwoStepsUnderOneAddress) {
  const folded f{stream{}
                     .version()
                     .plan("t.a", "replace")
                     .summary("plan")
                     .start("t.a", "delete", "old")
                     .complete("t.a", "delete")
                     .start("t.a", "create")
                     .complete("t.a", "create", "new")
                     .summary("apply")
                     .text()};
  EXPECT_EQ(f.step("t.a", 1), "delete done");
  EXPECT_EQ(f.step("t.a", 2), "create done");
  EXPECT_EQ(f.status("t.a"), "done");
  EXPECT_EQ(f.resource("t.a").at("id").at("value"), "new");
}

TEST(Steps, TheOldestOpenOneIsClosed) {
  const folded f{stream{}
                     .version()
                     .start("t.a", "delete", "1")
                     .start("t.a", "delete", "2")
                     .complete("t.a", "delete")
                     .text()};
  EXPECT_EQ(f.step("t.a", 1), "delete done");
  EXPECT_EQ(f.step("t.a", 2), "delete interrupted");
}

TEST(Steps, AnIdBreaksTiesOfRefreshes) {
  const std::string two = R"(,"id_key":"id","id_value":"2")";
  const folded f{stream{}
                     .version()
                     .hook("refresh_start", "t.a", R"(,"id_key":"id","id_value":"1")")
                     .hook("refresh_start", "t.a", two)
                     .hook("refresh_complete", "t.a", two)
                     .text()};
  EXPECT_EQ(f.step("t.a", 1), "refresh interrupted");
  EXPECT_EQ(f.step("t.a", 2), "refresh done");
}

TEST(Steps, AReadStillOpenAtThePlanSummaryFailed) {
  const folded f{stream{}.version().start("data.t.x", "read").summary("plan").text()};
  EXPECT_EQ(f.step("data.t.x", 1), "read failed inferred");
  EXPECT_EQ(f.status("data.t.x"), "failed inferred");
  EXPECT_EQ(f.run(), "succeeded") << "a failed read fails the resource, never the run";
}

TEST(Steps, AReadThatALaterDiagnosticNamesFailed) {
  const folded f{
      stream{}.version().start("data.t.x", "read").diagnostic("warning", "data.t.x").text()};
  EXPECT_EQ(f.step("data.t.x", 1), "read failed inferred");
}

TEST(Steps, OpenAtTheEndOfASucceededRunIsDoneInferred) {
  const folded f{stream{}
                     .version()
                     .start("t.a", "delete")
                     .start("t.a", "delete")
                     .complete("t.a", "delete")
                     .summary("apply")
                     .text()};
  EXPECT_EQ(f.step("t.a", 2), "delete done inferred");
}

TEST(Steps, AnEndWithNoOpenStepIsCountedAndMakesTheRow) {
  const folded f{stream{}.version().complete("t.a", "create", "i").text()};
  EXPECT_EQ(f.lines("unmatched"), 1);
  EXPECT_EQ(f.steps("t.a"), 0U);
}

TEST(Steps, EphemeralMessagesOpenRenewAndClose) {
  stream s;
  s.version();
  for (const std::string said : {"Opening...", "Renewing...", "Closing..."})
    s.hook("ephemeral_action_started", "ephemeral.t.x", ",\"Msg\":\"" + said + "\"");
  for (const std::string said : {"Open complete", "Renew complete", "Close complete"})
    s.hook("ephemeral_action_complete", "ephemeral.t.x", ",\"Msg\":\"" + said + "\"");
  const folded f{s.text()};
  EXPECT_EQ(f.step("ephemeral.t.x", 1), "open done");
  EXPECT_EQ(f.step("ephemeral.t.x", 2), "renew done");
  EXPECT_EQ(f.step("ephemeral.t.x", 3), "close done");
  EXPECT_EQ(f.status("ephemeral.t.x"), "done");
  EXPECT_EQ(f.resource("ephemeral.t.x").at("mode"), "ephemeral");
}

TEST(Steps, ElapsedIsNeverNegative) {
  std::string text = stream{}.version().start("t.a", "create").text();
  text +=
      R"({"@level":"info","@message":"","@module":"tofu.ui","@timestamp":"2026-11-21T03:12:01.500000Z","type":"apply_complete","hook":{"resource":{"addr":"t.a"},"action":"create"}})"
      "\n";
  EXPECT_EQ((folded{text}.resource("t.a").at("steps").at(0).at("elapsed")), 0);
}

TEST(Steps, ARefreshStillOpenAtThePlanSummaryOrNamedByADiagnosticFailed) {
  const std::string start = stream{}.version().hook("refresh_start", "a").text();
  EXPECT_EQ(folded{start + stream{}.summary("plan").text()}.step("a", 1),
            "refresh failed inferred");
  EXPECT_EQ(folded{start + stream{}.diagnostic("warning", "a").text()}.step("a", 1),
            "refresh failed inferred");
}

TEST(Steps, TerraformsEphemeralOperationsFailAndTick) {
  const folded all{stream{}
                       .version()
                       .hook("ephemeral_op_start", "ephemeral.a.b", R"(,"action":"open")")
                       .hook("ephemeral_op_progress", "ephemeral.a.b", R"(,"action":"open")")
                       .hook("ephemeral_op_errored", "ephemeral.a.b", R"(,"action":"open")")
                       .text()};
  EXPECT_EQ(all.steps("ephemeral.a.b"), 1U);
  EXPECT_EQ(all.step("ephemeral.a.b", 1), "open failed");
}

TEST(Steps, ADiagnosticOfAnActionBelongsToTheResourceThatCalledIt) {
  const folded all{stream{}
                       .version()
                       .start("a.b", "create")
                       .diagnostic("error", "action.c.d, called from a.b")
                       .text()};
  EXPECT_EQ(boost::json::serialize(all.resource("a.b").at("diagnostics")), "[1]");
}

TEST(Ids, DifferentRefreshIdsCountOnlyAfterAStep) {
  const auto refresh = [](stream& s, const std::string& id) {
    const std::string member = R"(,"id_key":"id","id_value":")" + id + "\"";
    s.hook("refresh_start", "a", member).hook("refresh_complete", "a", member);
  };
  stream once, twice;
  refresh(once.version(), "1");
  refresh(twice.version(), "1");
  refresh(twice, "2");
  const auto id = [](const std::string& text) {
    return boost::json::serialize(folded{text}.resource("a").at("id"));
  };
  EXPECT_EQ(id(once.text()), R"({"key":"id","value":"1"})");
  EXPECT_EQ(id(twice.text()), "null");
  EXPECT_EQ(id(twice.start("a", "update", "2").text()), R"({"key":"id","value":"2"})");
}

TEST(Ids, OneThatARefreshChangesIsTheNewOne) {
  const folded all{stream{}
                       .version()
                       .hook("refresh_start", "a", R"(,"id_key":"id","id_value":"1")")
                       .hook("refresh_complete", "a", R"(,"id_key":"id","id_value":"2")")
                       .text()};
  EXPECT_EQ(all.resource("a").at("id").at("value").as_string(), "2");
}

// ---- provisioners -------------------------------------------------------------------

TEST(Provisioners, BelongToTheNewestOpenCreate) {
  const folded f{stream{}
                     .version()
                     .start("t.a", "create")
                     .start("t.a", "delete")
                     .provision("start", "t.a")
                     .text()};
  EXPECT_TRUE(f.resource("t.a").at("steps").at(0).as_object().contains("provisioners"));
  EXPECT_FALSE(f.resource("t.a").at("steps").at(1).as_object().contains("provisioners"));
}

TEST(Provisioners, OutputWithoutAnOpenStepHasStepZero) {
  const folded f{stream{}.version().provision("progress", "t.a", "hi").text()};
  EXPECT_EQ(f.in_order().at(1).at("key"), "t.a 0 0 1");
  EXPECT_EQ(f.steps("t.a"), 0U);
}

TEST(Provisioners, FailedProvisionerDoesNotDecideTheStep) {
  const folded f{stream{}
                     .version()
                     .start("t.a", "create")
                     .provision("start", "t.a")
                     .provision("errored", "t.a")
                     .complete("t.a", "create")
                     .summary("apply")
                     .text()};
  EXPECT_EQ(f.resource("t.a").at("steps").at(0).at("provisioners").at(0).at("status"), "failed");
  EXPECT_EQ(f.step("t.a", 1), "create done");
}

TEST(Provisioners, CountTheirLines) {
  const folded f{stream{}
                     .version()
                     .start("t.a", "create")
                     .provision("start", "t.a")
                     .provision("progress", "t.a", "1")
                     .provision("progress", "t.a", "2")
                     .text()};
  EXPECT_EQ(f.resource("t.a").at("steps").at(0).at("provisioners").at(0).at("lines"), 2);
  EXPECT_EQ(f.in_order().at(2).at("key"), "t.a 1 1 2");
}

TEST(Provisioners, BelongToAnUpdateWhereNothingIsCreated) {
  const folded all{stream{}
                       .version()
                       .start("a", "update")
                       .provision("start", "a")
                       .provision("progress", "a", "text")
                       .provision("complete", "a")
                       .complete("a", "update")
                       .text()};
  const auto& step = all.resource("a").at("steps").as_array().at(0).as_object();
  EXPECT_EQ(step.at("provisioners").as_array().at(0).at("lines").as_int64(), 1);
}

// ---- resource status ----------------------------------------------------------------

TEST(ResourceStatus, OwedButNotBegunIsSkippedIfAnApplyRanAndPlannedIfNot) {
  const stream planned =
      stream{}.version().plan("t.a", "create").plan("t.b", "create").summary("plan");
  EXPECT_EQ(folded{planned.text()}.status("t.a"), "planned");
  stream applied = planned;
  EXPECT_EQ(folded{applied.start("t.b", "create").errored("t.b", "create").text()}.status("t.a"),
            "skipped");
}

TEST(ResourceStatus, HalfAReplaceIsInterruptedUnlessTheRunSucceeded) {
  stream half;
  half.version()
      .plan("t.a", "replace")
      .summary("plan")
      .start("t.a", "delete")
      .complete("t.a", "delete");
  EXPECT_EQ(folded{half.text()}.status("t.a"), "interrupted");
  EXPECT_EQ(folded{half.summary("apply").text()}.status("t.a"), "done inferred");
}

TEST(ResourceStatus, ImportMoveAndRemoveAreDoneByTheSummary) {
  for (const std::string action : {"import", "move", "remove"}) {
    stream s;
    s.version().plan("t.a", action).summary("plan");
    EXPECT_EQ(folded{s.text()}.status("t.a"), "planned") << action;
    stream skipped = s;
    EXPECT_EQ(folded{skipped.start("t.b", "create").errored("t.b", "create").text()}.status("t.a"),
              "skipped inferred");
    EXPECT_EQ(folded{s.summary("apply").text()}.status("t.a"), "done inferred") << action;
  }
}

TEST(ResourceStatus, OnlyRefreshedIsUnchangedOrDrifted) {
  stream s;
  s.version().hook("refresh_start", "t.a").hook("refresh_complete", "t.a");
  EXPECT_EQ(folded{s.text()}.status("t.a"), "unchanged");
  s.message(R"("type":"resource_drift","change":{"resource":{"addr":"t.a"},"action":"update"})");
  EXPECT_EQ(folded{s.text()}.status("t.a"), "drifted");
}

TEST(ResourceStatus, ADataSourceReadInThePlanIsDone) {
  EXPECT_EQ(
      (folded{stream{}.version().start("data.t.x", "read").complete("data.t.x", "read").text()}
           .status("data.t.x")),
      "done");
}

TEST(ResourceStatus, ProgressLeavesReadsOut) {
  const folded f{stream{}
                     .version()
                     .plan("t.a", "create")
                     .plan("data.t.x", "read")
                     .summary("plan")
                     .start("t.a", "create")
                     .complete("t.a", "create")
                     .text()};
  EXPECT_EQ(boost::json::serialize(f.run_row().at("progress")), R"({"done":1,"total":1})");
}

TEST(ResourceStatus, ForgetThenCreateIsPrintedAsNoopAndOwesItsCreate) {
  const std::string planned = stream{}.version().plan("a", "noop").summary("plan").text();
  EXPECT_EQ(folded{planned}.status("a"), "unchanged");
  const folded begun{planned + stream{}.start("b", "create").errored("b", "create").text()};
  EXPECT_EQ(begun.status("a"), "skipped");
  const folded done{planned +
                    stream{}.start("a", "create").complete("a", "create").summary("apply").text()};
  EXPECT_EQ(done.status("a"), "done");
  EXPECT_EQ(boost::json::serialize(done.run_row().at("progress")), R"({"done":1,"total":1})");
}

TEST(ResourceStatus, EphemeralResourcesHaveNoPlan) {
  const folded all{stream{}.version().plan("ephemeral.a.b", "create").text()};
  EXPECT_EQ(all.count("resource"), 0U);
}

TEST(ResourceStatus, AnApplyHookWithNothingPlannedBeginsTheApplyPhase) {
  const folded all{stream{}.version().start("a", "create").complete("a", "create").text()};
  EXPECT_EQ(all.resource("a").at("steps").as_array().at(0).at("phase").as_string(), "apply");
  EXPECT_EQ(all.run("phase"), "apply");
}

}  // namespace
}  // namespace tofud::test
