// The rules from lines to runs, one test each.
#include "daemon/correlator/limits.hpp"
#include "tests/correlator/by_hand.hpp"

namespace tofud::test {
namespace {

// ---- lines --------------------------------------------------------------------------

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

TEST(Lines, ATornLastLineIsReportedOnceTheRunIsOver) {
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

// `tofu import -json` of an address that the configuration lacks: exit status 1, no diagnostic.
TEST(RunStatus, AnErrorWithoutATypeIsAFailure) {
  const std::string import = stream{}.version().message(R"("x":1)", "Importing...").text();
  EXPECT_EQ(folded{import}.run(), "succeeded");
  const std::string refused =
      R"({"@level":"error","@message":"Error: resource address \"t.zz\" does not exist in the configuration.","@module":"tofu.ui","@timestamp":"2026-11-21T03:12:00.000000Z"})"
      "\n";
  EXPECT_EQ(folded{import + refused}.run(), "failed");
  EXPECT_EQ(folded{import + refused}.row("message", "2").at("level"), "error");
}

TEST(RunStatus, InitOfTerraformSucceedsWithItsLastWords) {
  stream init;
  init.version().message(R"("type":"init_output","message_code":"initializing_backend_message")");
  EXPECT_EQ(folded{init.text()}.run(), "lost");
  init.message(R"("type":"init_output","message_code":"output_init_success_message")");
  EXPECT_EQ(folded{init.text()}.run(), "succeeded");
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

TEST(Lines, TheLastLineOfAProgramWithoutANewlineIsText) {
  const folded said{"v1.2.3"};
  EXPECT_EQ(said.row("text", "1").at("text").as_string(), "v1.2.3");
  EXPECT_EQ(said.run(), "unknown");
  const folded torn{stream{}.version().text() + R"(warning: {"@level":"info","@mess)"};
  EXPECT_EQ(torn.count("text"), 0U);
  EXPECT_EQ(torn.count("message"), 1U);
}

TEST(Lines, BytesThatAreNoUtf8BecomeReplacementCharacters) {
  const folded all{stream{}.version().message(R"("type":"log")", "caf\xE9").line("\xFF!").text()};
  EXPECT_EQ(all.row("message", "1").at("text").as_string(), "caf\xEF\xBF\xBD");
  EXPECT_EQ(all.row("text", "1").at("text").as_string(), "\xEF\xBF\xBD!");
}

TEST(Lines, NoticesNameTheMembersBesideTheirText) {
  const folded all{
      stream{}
          .version()
          .message(
              R"("type":"test_cleanup","test_cleanup":{"failed_resources":[{"instance":"a.b"}]})")
          .message(
              R"("type":"test_interrupt","test_interrupt":{"state":[{"instance":"a.c"}],"planned":["a.d"]})")
          .message(
              R"("type":"workspace_list","current_workspace":"default","workspaces":["default","x"])")
          .message(R"("type":"state_lock_release")")
          .text()};
  const auto text = [&](const char* n) { return all.row("message", n).at("text").as_string(); };
  EXPECT_EQ(text("1"), "said\n  a.b");
  EXPECT_EQ(text("2"), "said\n  a.c\n  a.d");
  EXPECT_EQ(text("3"), "said\n  default\n  x");
  EXPECT_EQ(text("4"), "said");
}

TEST(Lines, OutputOfTerraformsActionsIsTextAndNoMessage) {
  const folded all{
      stream{}
          .version()
          .message(R"("type":"action_progress")", "a.b (0): action.c.d - \\n\\nsecret\\n")
          .message(R"("type":"action_errored")", "a.b (0): Action errored: action.c.d - secret")
          .text()};
  EXPECT_EQ(all.row("text", "1").at("text").as_string(), "a.b (0): action.c.d - ");
  EXPECT_EQ(all.row("text", "2").at("text").as_string(), "secret");
  EXPECT_EQ(all.count("message"), 1U);
  EXPECT_EQ(all.row("message", "1").at("text").as_string(), "a.b (0): Action errored: action.c.d");
}

TEST(Lines, LostBytesDropTheLineTheyCut) {
  struct ignoring : correlator::row_sink {
  } nobody;
  correlator::stream_fold fold{{}, nobody};
  const std::string whole = stream{}.version().summary("apply").text();
  fold.feed(whole.substr(0, whole.size() - 20));
  fold.gap();
  fold.feed("plain\n");
  fold.end();
  EXPECT_EQ(fold.runs().front().view().lines.text, 1U);
  EXPECT_FALSE(fold.runs().front().view().applied);
}

TEST(Lines, TimesOfOtherZonesAreShownInUtc) {
  const folded all{stream{}
                       .version()
                       .line(R"({"@level":"info","@message":"m","@module":"tofu.ui",)"
                             R"("@timestamp":"2026-11-21T05:12:01.5+02:00","type":"log"})")
                       .text()};
  EXPECT_EQ(all.row("message", "1").at("at").as_string(), "2026-11-21T03:12:01.500000Z");
}

// ---- runs ---------------------------------------------------------------------------

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

TEST(Runs, AnUnsupportedMajorVersionIsOneErrorAndTheRestText) {
  const folded f{stream{}.version("2.0").summary("apply").text()};
  EXPECT_EQ(f.exit_status(), 3);
  EXPECT_EQ(f.row("message", "1").at("level"), "error");
  EXPECT_EQ(f.lines("text"), 1);
  EXPECT_TRUE(f.run_row().at("applied").is_null());
}

// ---- order --------------------------------------------------------------------------

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

// ---- run status ---------------------------------------------------------------------

TEST(RunStatus, AnExitStatusOfZeroSucceedsWhateverWasLogged) {
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

TEST(RunStatus, UntypedLastMessagesSucceed) {
  EXPECT_EQ((folded{stream{}.version().message(R"("x":1)").text()}.run()), "succeeded");
  EXPECT_EQ((folded{stream{}.version().message(R"("x":1)").text(), 1}.run()), "failed");
}

TEST(RunStatus, StreamWithoutMessageIsUnknownUnlessTheExitStatusIsKnown) {
  EXPECT_EQ(folded{""}.run(), "unknown");
  EXPECT_EQ(folded{"just text\n"}.run(), "unknown");
  EXPECT_EQ((folded{"Error: Invalid expression\n", 0}.run()), "succeeded");
  EXPECT_EQ((folded{"Error: Invalid expression\n", 1}.run()), "failed");
  EXPECT_EQ((folded{"", 1}.run()), "failed");
}

TEST(RunStatus, AVersionAloneIsLost) { EXPECT_EQ(folded{stream{}.version().text()}.run(), "lost"); }

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

// ---- outputs ------------------------------------------------------------------------

TEST(Outputs, OutputThatTurnsSensitiveLosesItsValue) {
  const folded f{
      stream{}
          .version()
          .message(
              R"("type":"outputs","outputs":{"o":{"sensitive":false,"type":"string","value":"seen"}})")
          .message(R"("type":"outputs","outputs":{"o":{"sensitive":true,"type":"string"}})")
          .text()};
  EXPECT_FALSE(f.row("output", "o").contains("value"));
}

TEST(Outputs, UnnamedOutputsAreSettledByTheApply) {
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

TEST(Outputs, DeprecationIsShown) {
  const folded all{
      stream{}
          .version()
          .message(
              R"("type":"outputs","outputs":{"o":{"sensitive":false,"type":"string","value":"v","deprecated":"use p"}})")
          .text()};
  EXPECT_EQ(all.row("output", "o").at("deprecated").as_string(), "use p");
}

// ---- cost ---------------------------------------------------------------------------

TEST(Cost, LineCostDoesNotGrowWithTheRun) {
  // Counts changes, which is what every later stage pays for.
  struct counting : correlator::row_sink {
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

TEST(Sizes, PartsOfAResourceAreBoundedAndTheRestCountedOnce) {
  stream s;
  s.version();
  const auto most = static_cast<int>(limits::parts_of_resource);
  for (int i = 0; i < most + 10; ++i) s.plan("t.a", "create");
  for (int i = 0; i < most / 2; ++i) s.start("t.a", "create");
  for (int i = 0; i < most / 2 + 10; ++i) s.provision("start", "t.a", "local-exec");
  for (int i = 0; i < 10; ++i) s.start("t.a", "create");
  for (int i = 0; i < most + 10; ++i) s.diagnostic("warning", "t.a");
  s.start("t.b", "create");
  const folded f{s.text()};
  const object& row = f.row("resource", "t.a");
  EXPECT_EQ(row.at("plan").as_array().size(), limits::parts_of_resource);
  EXPECT_EQ(row.at("diagnostics").as_array().size(), limits::parts_of_resource);
  EXPECT_EQ(f.steps("t.a"), limits::parts_of_resource / 2);
  EXPECT_EQ(f.lines("unmatched"), 30);
  EXPECT_EQ(f.row("message", "1").at("text"),
            "t.a has more planned actions, or steps and provisioners, than are kept of one "
            "resource (256): what comes beyond is counted, not shown");
  EXPECT_EQ(f.row("diagnostic", std::to_string(most + 10)).at("address"), "t.a");
}

TEST(Sizes, ARepeatedOutputTakesNoMemory) {
  struct : correlator::row_sink {
  } nobody;
  correlator::run_identity identity;
  identity.id = "r";
  correlator::stream_fold fold{std::move(identity), nobody};
  fold.feed(stream{}.version().text());
  const auto say = [&fold](const std::string& value) {
    fold.feed(stream{}
                  .message(R"("type":"outputs","outputs":{"o":{"sensitive":false,"type":"string",)"
                           R"("value":")" +
                           value + R"("}})")
                  .text());
    return fold.runs().back().memory();
  };
  const std::size_t once = say(std::string(1000, 'x'));
  EXPECT_EQ(say(std::string(1000, 'y')), once);
  EXPECT_EQ(say(std::string(400, 'z')), once - 600);
}

TEST(Sizes, AFullRunIsReportedAndCountedOnce) {
  struct : correlator::row_sink {
  } nobody;
  correlator::run_identity identity;
  identity.id = "r";
  correlator::stream_fold fold{std::move(identity), nobody};
  correlator::message_counts counts;
  fold.count_into(&counts);
  std::string some;
  for (int i = 0; i < 1000; ++i) some += stream{}.message(R"("type":"unknown")").text();
  fold.feed(stream{}.version().text());
  for (std::size_t rows = 0; rows < limits::rows_per_run; rows += 1000) {
    EXPECT_EQ(counts.full_runs, 0U);
    fold.feed(some);
  }
  EXPECT_FALSE(fold.runs().back().is_full());
  fold.feed(some);
  EXPECT_TRUE(fold.runs().back().is_full());
  EXPECT_EQ(fold.runs().back().rows(), limits::rows_per_run + 1);
  fold.feed(some);
  EXPECT_EQ(counts.full_runs, 1U);
  fold.feed(stream{}.version().text() + some);  // the next run of the stream has room
  EXPECT_EQ(counts.full_runs, 1U);
}

}  // namespace
}  // namespace tofud::test
