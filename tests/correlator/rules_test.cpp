// The rules from hooks to rows, one test each.
#include "daemon/held_rows.hpp"
#include "tests/correlator/recorded.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace tofud::test {
namespace {

using boost::json::object;

// A stream written by hand: the members of each message, without the envelope.
class stream {
 public:
  stream& line(const std::string& text) {
    text_ += text + "\n";
    return *this;
  }
  stream& message(const std::string& members, const std::string& text = "said") {
    ++second_;
    const std::string clock = (second_ < 10 ? "0" : "") + std::to_string(second_);
    return line(R"({"@level":"info","@message":")" + text +
                R"(","@module":"tofu.ui","@timestamp":"2026-11-21T03:12:)" + clock +
                R"(.000000Z",)" + members + "}");
  }
  stream& version(const std::string& ui = "1.2") {
    return message(R"("type":"version","tofu":"1.12.6","ui":")" + ui + "\"");
  }
  stream& hook(const std::string& type, const std::string& addr, const std::string& more = "") {
    return message(R"("type":")" + type + R"(","hook":{)" + resource(addr) + more + "}");
  }
  stream& start(const std::string& addr, const std::string& action, const std::string& id = "") {
    return hook("apply_start", addr, R"(,"action":")" + action + "\"" + id_of(id));
  }
  stream& complete(const std::string& addr, const std::string& action, const std::string& id = "") {
    return hook("apply_complete", addr,
                R"(,"elapsed_seconds":1,"action":")" + action + "\"" + id_of(id));
  }
  stream& errored(const std::string& addr, const std::string& action) {
    return hook("apply_errored", addr, R"(,"elapsed_seconds":1,"action":")" + action + "\"");
  }
  stream& plan(const std::string& addr, const std::string& action) {
    return message(R"("type":"planned_change","change":{)" + resource(addr) + R"(,"action":")" +
                   action + "\"}");
  }
  stream& summary(const std::string& operation) {
    return message(
        R"("type":"change_summary","changes":{"add":1,"change":0,"import":0,"remove":0,"operation":")" +
        operation + "\"}");
  }
  stream& diagnostic(const std::string& severity, const std::string& addr = "") {
    return message(R"("type":"diagnostic","diagnostic":{"severity":")" + severity +
                   R"(","summary":"s","detail":"d","address":")" + addr + "\"}");
  }
  stream& provision(const std::string& type, const std::string& addr,
                    const std::string& output = "") {
    return hook("provision_" + type, addr,
                R"(,"provisioner":"local-exec")" +
                    (output.empty() ? "" : R"(,"output":")" + output + "\""));
  }
  const std::string& text() const { return text_; }

 private:
  static std::string resource(const std::string& addr) {
    return R"("resource":{"addr":")" + addr + R"(","module":"","resource":")" + addr +
           R"(","implied_provider":"t","resource_type":"t","resource_name":"x","resource_key":null})";
  }
  static std::string id_of(const std::string& id) {
    return id.empty() ? "" : R"(,"id_key":"id","id_value":")" + id + "\"";
  }
  std::string text_;
  int second_ = 0;
};

// The final rows of a stream, looked up by kind and key.
class folded {
 public:
  explicit folded(const std::string& text, std::optional<int> exit_status = {},
                  std::size_t max_line = limits::line_bytes) {
    struct ignoring : correlator::observer {
    } nobody;
    correlator::run_identity identity;
    identity.id = "r";
    correlator::stream_fold fold{std::move(identity), nobody, max_line};
    fold.feed(text);
    if (exit_status) fold.exit_status(*exit_status);
    fold.end();
    exit_status_ = fold.inferred_exit_status();
    rows_ = parse_rows(rows_of("r", text));
    // The run's views with the exit status that `rows_of` does not know.
    for (const auto& run : fold.runs()) {
      std::string view;
      feed::encode(view, run.view(), 0);
      runs_.push_back(parse_rows(view + "\n").at(0));
      std::string all;
      for (feed::row_number row = 0; row < run.rows(); ++row) {
        run.encode(all, row, run.seq(row), feed::cut::at_limit);
        all.push_back('\n');
      }
      for (object& row : parse_rows(all)) settled_.push_back(std::move(row));
    }
  }

  const object& row(std::string_view kind, std::string_view key) const {
    for (const object& each : settled_) {
      if (each.at("kind") == boost::json::string_view{kind.data(), kind.size()} &&
          each.at("key") == boost::json::string_view{key.data(), key.size()}) {
        return each;
      }
    }
    ADD_FAILURE() << "no " << kind << " " << key;
    static const object none;
    return none;
  }
  const object& resource(std::string_view addr) const { return row("resource", addr); }
  std::string status(std::string_view addr) const {
    return std::string{resource(addr).at("status").as_string()} +
           (resource(addr).at("inferred").as_bool() ? " inferred" : "");
  }
  std::string step(std::string_view addr, std::size_t n) const {
    const auto& step = resource(addr).at("steps").as_array().at(n - 1).as_object();
    return std::string{step.at("action").as_string()} + " " +
           std::string{step.at("status").as_string()} +
           (step.contains("inferred") ? " inferred" : "");
  }
  std::size_t steps(std::string_view addr) const {
    return resource(addr).at("steps").as_array().size();
  }
  std::string run(std::string_view field = "status", std::size_t n = 0) const {
    return std::string{
        runs_.at(n).at(boost::json::string_view{field.data(), field.size()}).as_string()};
  }
  const object& run_row(std::size_t n = 0) const { return runs_.at(n); }
  std::size_t runs() const { return runs_.size(); }
  std::int64_t lines(std::string_view what) const {
    return runs_.at(0)
        .at("lines")
        .at(boost::json::string_view{what.data(), what.size()})
        .as_int64();
  }
  std::size_t count(std::string_view kind) const {
    return static_cast<std::size_t>(
        std::count_if(rows_.begin(), rows_.end(), [&](const object& each) {
          return each.at("kind") == boost::json::string_view{kind.data(), kind.size()};
        }));
  }
  const std::vector<object>& in_order() const { return rows_; }
  int exit_status() const { return exit_status_; }

 private:
  std::vector<object> rows_, settled_, runs_;
  int exit_status_ = 0;
};

// ---- lines --------------------------------------------------------------------------------

TEST(Lines, TextBeforeAMessageOnItsLineIsALineOfItsOwn) {
  stream s;
  s.version();
  const folded f{"installing..." + s.text()};
  EXPECT_EQ(f.lines("text"), 1);
  EXPECT_EQ(f.lines("messages"), 1);
  EXPECT_EQ(f.in_order().at(1).at("text"), "installing...");
}

TEST(Lines, ObjectsOfOtherModulesAreText) {
  const folded f{R"({"@level":"debug","@message":"x","@module":"provider"})"
                 "\n"};
  EXPECT_EQ(f.lines("text"), 1);
  EXPECT_EQ(f.lines("messages"), 0);
}

TEST(Lines, ATextLineLosesOneCarriageReturn) {
  const folded f{"a\r\r\n"};
  EXPECT_EQ(f.in_order().at(1).at("text"), "a\r");
}

TEST(Lines, AWholeObjectWithoutANewlineAtTheEndCounts) {
  std::string text = stream{}.version().summary("apply").text();
  text.pop_back();
  EXPECT_EQ(folded{text}.run(), "succeeded");
}

TEST(Lines, ATornLastLineIsSaidOnceTheRunIsOver) {
  const folded f{stream{}.version().start("t.a", "create").text() + R"({"@level":"inf)"};
  const object& last = f.in_order().back();
  EXPECT_EQ(last.at("kind"), "message");
  EXPECT_EQ(last.at("text"), "stream ends in mid-line, 14 bytes");
}

TEST(Lines, AnOverlongLineIsCountedAndReadingGoesOn) {
  const folded f{
      std::string(300, 'x') + "\n" + stream{}.version().summary("apply").text(), {}, 290};
  EXPECT_EQ(f.lines("malformed"), 1);
  EXPECT_EQ(f.run(), "succeeded");
}

TEST(Lines, ABrokenMessageOfAKnownTypeIsShownAndCounted) {
  const folded f{stream{}
                     .version()
                     .message(R"("type":"apply_start","hook":{"action":"create"})", "t.a: Creating")
                     .text()};
  EXPECT_EQ(f.row("message", "1").at("text"), "t.a: Creating");
  EXPECT_EQ(f.lines("malformed"), 1);
}

TEST(Lines, UnknownAndUntypedMessagesAreShown) {
  const folded f{stream{}
                     .version()
                     .message(R"("type":"new_thing")", "new")
                     .message(R"("x":1)", "bare")
                     .text()};
  EXPECT_EQ(f.row("message", "1").at("type"), "new_thing");
  EXPECT_TRUE(f.row("message", "2").at("type").is_null());
}

// ---- runs ---------------------------------------------------------------------------------

TEST(Runs, AVersionLineBeginsTheNextRun) {
  const folded f{stream{}.version().summary("apply").version().summary("plan").text()};
  ASSERT_EQ(f.runs(), 2U);
  EXPECT_EQ(f.run("key", 1), "r.2");
  EXPECT_EQ(f.run("status", 0), "succeeded");
}

TEST(Runs, TextBeforeTheFirstVersionBelongsToTheFirstRun) {
  EXPECT_EQ(folded{"hello\n" + stream{}.version().text()}.runs(), 1U);
}

TEST(Runs, AVersionWhileAChangeIsOpenIsAnotherProgramInTheSamePipe) {
  const folded f{stream{}.version().start("t.a", "create").version().version().text()};
  EXPECT_EQ(f.runs(), 1U);
  EXPECT_TRUE(f.run_row().at("interleaved").as_bool());
  EXPECT_EQ(f.count("message"), 1U);
}

TEST(Runs, ARunOfNothingButVersionThatAnotherFollowsSucceeded) {
  const folded f{stream{}.version().version().summary("apply").text()};
  EXPECT_EQ(f.run("status", 0), "succeeded");
  EXPECT_EQ(f.exit_status(), 0);
}

TEST(Runs, TheWorstOfThemGivesTheExitStatus) {
  EXPECT_EQ((folded{stream{}.version().diagnostic("error").version().summary("apply").text()}
                 .exit_status()),
            1);
}

TEST(Runs, AnUnsupportedMajorIsOneErrorRowAndTextFromThere) {
  const folded f{stream{}.version("2.0").summary("apply").text()};
  EXPECT_EQ(f.exit_status(), 3);
  EXPECT_EQ(f.row("message", "1").at("level"), "error");
  EXPECT_EQ(f.lines("text"), 1);
  EXPECT_TRUE(f.run_row().at("applied").is_null());
}

// ---- order --------------------------------------------------------------------------------

TEST(Order, ALogLineComesBeforeItsRow) {
  const folded f{stream{}
                     .version()
                     .start("t.a", "create")
                     .provision("start", "t.a")
                     .provision("progress", "t.a", "hi")
                     .text()};
  // start 1, provisioner 2, line 3, row 4, then the row once more at the end.
  EXPECT_EQ(f.in_order().at(1).at("kind"), "log");
  EXPECT_EQ(f.in_order().at(1).at("seq"), 3);
  EXPECT_EQ(f.resource("t.a").at("seq"), 5);
}

TEST(Order, ADiagnosticComesBeforeTheRowItNames) {
  const folded f{stream{}
                     .version()
                     .start("t.a", "create")
                     .errored("t.a", "create")
                     .diagnostic("error", "t.a")
                     .text()};
  EXPECT_EQ(f.row("diagnostic", "1").at("seq"), 3);
  EXPECT_EQ(f.resource("t.a").at("seq"), 4);
  EXPECT_EQ(boost::json::serialize(f.resource("t.a").at("diagnostics")), "[1]");
}

TEST(Order, ARowThatComesOutTheSameKeepsItsNumber) {
  const folded f{stream{}
                     .version()
                     .start("t.a", "create")
                     .complete("t.a", "create")
                     .hook("apply_progress", "t.a", R"(,"action":"create","elapsed_seconds":10)")
                     .text()};
  EXPECT_EQ(f.resource("t.a").at("seq"), 2);
}

TEST(Order, RowsClosedTogetherGoInOrderOfFirstAppearance) {
  const folded f{stream{}.version().start("t.b", "create").start("t.a", "create").text()};
  EXPECT_EQ(f.resource("t.b").at("seq"), 3);
  EXPECT_EQ(f.resource("t.a").at("seq"), 4);
}

TEST(Order, ALinkIsMadeWhenBothEndsExist) {
  const folded f{stream{}.version().diagnostic("warning", "t.a").start("t.a", "create").text()};
  EXPECT_EQ(boost::json::serialize(f.resource("t.a").at("diagnostics")), "[1]");
}

TEST(Order, ADiagnosticMakesNoResourceRow) {
  EXPECT_EQ((folded{stream{}.version().diagnostic("error", "t.a").text()}.count("resource")), 0U);
}

// ---- steps --------------------------------------------------------------------------------

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

// ---- provisioners -------------------------------------------------------------------------

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

TEST(Provisioners, WithoutAnOpenStepKeepTheirLineWithStepZero) {
  const folded f{stream{}.version().provision("progress", "t.a", "hi").text()};
  EXPECT_EQ(f.in_order().at(1).at("key"), "t.a 0 0 1");
  EXPECT_EQ(f.steps("t.a"), 0U);
}

TEST(Provisioners, ThatFailDoNotDecideTheStep) {
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

// ---- resource status ----------------------------------------------------------------------

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

// ---- run status ---------------------------------------------------------------------------

TEST(RunStatus, AKnownZeroSucceedsWhateverWasLogged) {
  EXPECT_EQ((folded{stream{}.version().diagnostic("error").text(), 0}.run()), "succeeded");
}

TEST(RunStatus, TwoOfAPlanIsItsDetailedExitCode) {
  EXPECT_EQ((folded{stream{}.version().summary("plan").text(), 2}.run()), "succeeded");
  EXPECT_EQ((folded{stream{}.version().summary("apply").text(), 2}.run()), "failed");
}

TEST(RunStatus, AnErrorFailsAndAnInterruptInterrupts) {
  EXPECT_EQ(folded{stream{}.version().diagnostic("error").text()}.run(), "failed");
  EXPECT_EQ((folded{stream{}
                        .version()
                        .message(R"("type":"log")", "\\nInterrupt received.\\n")
                        .diagnostic("error")
                        .text()}
                 .run()),
            "interrupted");
  EXPECT_EQ((folded{stream{}.version().message(R"("type":"log")", "Apply cancelled").text()}.run()),
            "interrupted");
}

TEST(RunStatus, APlanSummaryIsSuccessOnlyIfNothingWasApplied) {
  stream s;
  s.version().plan("t.a", "create").summary("plan");
  EXPECT_EQ(folded{s.text()}.run(), "succeeded");
  EXPECT_EQ(folded{s.start("t.a", "create").text()}.run(), "lost");
}

TEST(RunStatus, TestsDecideByTheirSummary) {
  const auto summary = [](const std::string& status) {
    return folded{stream{}
                      .version()
                      .message(R"("type":"test_summary","test_summary":{"status":")" + status +
                               R"(","passed":1,"failed":0,"errored":0,"skipped":0})")
                      .text()}
        .run();
  };
  EXPECT_EQ(summary("pass"), "succeeded");
  EXPECT_EQ(summary("skip"), "succeeded");
  EXPECT_EQ(summary("fail"), "failed");
}

TEST(RunStatus, UntypedLastMessagesAndBareTextSucceed) {
  EXPECT_EQ((folded{stream{}.version().message(R"("x":1)").text()}.run()), "succeeded");
  EXPECT_EQ(folded{"just text\n"}.run(), "succeeded");
  EXPECT_EQ((folded{stream{}.version().message(R"("x":1)").text(), 1}.run()), "failed");
}

TEST(RunStatus, NothingAtAllIsLost) {
  EXPECT_EQ(folded{""}.run(), "lost");
  EXPECT_EQ(folded{stream{}.version().text()}.run(), "lost");
}

TEST(RunStatus, ARunWithoutAnApplyStepShowsPhasePlan) {
  EXPECT_EQ((folded{stream{}.version().summary("plan").text()}.run("phase")), "plan");
  EXPECT_EQ((folded{stream{}.version().summary("apply").text()}.run("phase")), "apply");
}

TEST(Command, IsInferredFromWhatWasPrinted) {
  EXPECT_EQ((folded{stream{}.version().summary("plan").text()}.run("command")), "plan");
  EXPECT_EQ((folded{stream{}.version().summary("destroy").text()}.run("command")), "destroy");
  EXPECT_EQ((folded{stream{}.version().start("t.a", "create").text()}.run("command")), "apply");
  EXPECT_EQ((folded{stream{}
                        .version()
                        .hook("refresh_start", "t.a")
                        .message(R"("type":"outputs","outputs":{})")
                        .text()}
                 .run("command")),
            "refresh");
  EXPECT_EQ(folded{stream{}.version().text()}.run("command"), "other");
}

// ---- outputs ------------------------------------------------------------------------------

TEST(Outputs, ThatTurnSensitiveLoseTheirValue) {
  const folded f{
      stream{}
          .version()
          .message(
              R"("type":"outputs","outputs":{"o":{"sensitive":false,"type":"string","value":"seen"}})")
          .message(R"("type":"outputs","outputs":{"o":{"sensitive":true,"type":"string"}})")
          .text()};
  EXPECT_FALSE(f.row("output", "o").contains("value"));
}

TEST(Outputs, AppliedOnesSettleThoseTheyDoNotName) {
  const folded f{
      stream{}
          .version()
          .message(R"("type":"outputs","outputs":{"o":{"sensitive":false,"action":"create"}})")
          .message(R"("type":"outputs","outputs":{})")
          .text()};
  EXPECT_EQ(f.row("output", "o").at("applied"), false);
}

TEST(Outputs, NumbersKeepTheirText) {
  const std::string text =
      stream{}
          .version()
          .message(
              R"("type":"outputs","outputs":{"o":{"sensitive":false,"type":"number","value":[1e400,0.1,1.0,12345678901234567890123,-0]}})")
          .text();
  EXPECT_NE(rows_of("r", text).find(R"("value":[1e400,0.1,1.0,12345678901234567890123,-0])"),
            std::string::npos);
}

// ---- cost ---------------------------------------------------------------------------------

TEST(Cost, OfALineDoesNotGrowWithTheRun) {
  // Counts changes, which is what every later stage pays for.
  struct counting : correlator::observer {
    void changed(correlator::run_state&, feed::row_change) override { ++changes; }
    std::size_t changes = 0;
  };
  const auto changes = [](int resources) {
    stream s;
    s.version();
    for (int i = 0; i < resources; ++i) s.plan("t.a" + std::to_string(i), "create");
    s.summary("plan");
    for (int i = 0; i < resources; ++i)
      s.start("t.a" + std::to_string(i), "create").complete("t.a" + std::to_string(i), "create");
    s.summary("apply");
    counting counter;
    correlator::run_identity identity;
    identity.id = "r";
    correlator::stream_fold fold{std::move(identity), counter};
    fold.feed(s.text());
    fold.end();
    return counter.changes;
  };
  EXPECT_EQ(changes(1000), 3000U);
  EXPECT_EQ(changes(4000), 12000U);
}

}  // namespace
}  // namespace tofud::test
