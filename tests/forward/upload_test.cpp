// Every rule of the upload, from the forwarder's side.
#include "daemon/forward/upload.hpp"

#include <gtest/gtest.h>

namespace tofud::forward {
namespace {

using namespace std::chrono_literals;
using supply = upload::supply;

constexpr const char* granted = R"({"run":"r1","offset":0,"max_patch":100,"keepalive_s":15})";

/// A conversation at a pace of its own.
class Uploading : public testing::Test {
 protected:
  upload machine_{R"({"upload_id":"u"})", "s3cret", [this] { return random_; }};
  double random_ = 1.0;
  upload::time now_ = upload::time{} + 1h;
  supply ready_;

  upload::step next() { return machine_.next(now_, ready_); }

  /// "PATCH lines 0+5", "PATCH lines 5+0 complete", "PUT events/1", "wait 25", "over".
  std::string said() {
    const auto step = next();
    if (std::holds_alternative<upload::over>(step)) return "over";
    if (const auto* pause = std::get_if<upload::wait>(&step)) {
      if (pause->until == upload::time::max()) return "wait for the answer";
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(pause->until - now_);
      return "wait " + std::to_string(left.count());
    }
    sent_ = std::get<upload::send>(step);
    std::string text = sent_.head.method;
    const std::string base = "/v1/runs";
    EXPECT_TRUE(sent_.head.target.starts_with(base));
    text += sent_.head.target == base ? " runs" : sent_.head.target.substr(base.size());
    if (sent_.head.method == "PATCH") {
      text += " " + header("Upload-Offset") + "+" + std::to_string(sent_.bytes);
      EXPECT_EQ(header("Upload-Offset"), std::to_string(sent_.from));
      if (!header("Upload-Complete").empty()) text += " complete";
    }
    return text;
  }

  std::string header(const std::string& name) const {
    for (const auto& each : sent_.head.headers) {
      if (each.name == name) return each.value;
    }
    return "";
  }

  void answer(unsigned status, const std::string& offset = "", const std::string& body = "",
              const std::string& retry_after = "") {
    machine_.answered(now_,
                      {status, {{"Upload-Offset", offset}, {"Retry-After", retry_after}}, body});
  }

  void conflict(const std::string& code, const std::string& offset = "") {
    answer(409, offset, R"({"code":")" + code + R"(","message":"why"})");
  }

  /// A run that the daemon has taken, with nothing in it.
  void greet(const char* body = granted) {
    ASSERT_EQ(said(), "POST runs");
    answer(201, "", body);
  }

  void is_stopped(upload_stop::until again, const std::string& reason) {
    EXPECT_EQ(said(), "over");
    ASSERT_TRUE(machine_.stopped());
    EXPECT_EQ(machine_.stopped()->again, again);
    EXPECT_EQ(machine_.stopped()->reason, reason);
    EXPECT_FALSE(machine_.complete());
  }

  /// With ten bytes and a plan attached at one of them; whatever is sent first was asked for.
  void attach_at(std::uint64_t offset) {
    greet();
    machine_.add_event(offset, R"({"event":"attachment"})", feed::attachment::plan);
    plan_put = "PUT/r1/attachments/plan?event=1&offset=" + std::to_string(offset);
    ready_ = {0, 10};
    ASSERT_EQ(said(), offset == 0 ? plan_put : "PATCH/r1/lines 0+" + std::to_string(offset));
  }

  void start_over() {
    machine_ = upload{R"({"upload_id":"u"})", "s3cret", [this] { return random_; }};
  }

  void goes_on_without() {
    ASSERT_EQ(said(), "PUT/r1/events/1");
    EXPECT_EQ(sent_.head.body, R"({"offset":0,"event":"attachment_left_out","part":"plan"})");
    EXPECT_FALSE(sent_.document);
    answer(204);
    now_ += 1s;
    EXPECT_EQ(said(), "PATCH/r1/lines 0+10");
    EXPECT_FALSE(machine_.stopped());
  }

  upload::send sent_;
  std::string plan_put;
};

TEST_F(Uploading, BeginsWithAPostOfTheWholeDocument) {
  EXPECT_FALSE(machine_.acknowledged());
  EXPECT_EQ(said(), "POST runs");
  EXPECT_EQ(sent_.head.body, R"({"upload_id":"u"})");
  answer(201, "", R"({"run":"r1","offset":0,"max_patch":100,"keepalive_s":15,"url":"http://x/"})");
  EXPECT_EQ(machine_.acknowledged(), 0u);
  EXPECT_EQ(machine_.run(), "r1");
  EXPECT_EQ(machine_.url(), "http://x/");
}

TEST_F(Uploading, ARunThatIsKnownGoesOnFromItsOffset) {
  ready_ = {0, 50};
  ASSERT_EQ(said(), "POST runs");
  answer(200, "", R"({"run":"r1","offset":40})");
  EXPECT_EQ(said(), "PATCH/r1/lines 40+10");
}

TEST_F(Uploading, ShowsTheSecretWithEveryRequestButThePost) {
  ASSERT_EQ(said(), "POST runs");
  EXPECT_EQ(header("Upload-Secret"), "");
  answer(201, "", granted);
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  EXPECT_EQ(header("Upload-Secret"), "s3cret");
  machine_.broken(now_);
  now_ += 1s;
  ASSERT_EQ(said(), "HEAD/r1/lines");
  EXPECT_EQ(header("Upload-Secret"), "s3cret");
}

TEST_F(Uploading, OneRequestIsUnderWayAtATime) {
  greet();
  ready_ = {0, 5};
  EXPECT_EQ(said(), "PATCH/r1/lines 0+5");
  ready_ = {0, 50};
  EXPECT_EQ(said(), "wait for the answer");
}

TEST_F(Uploading, TheNextPatchTakesAllThatGatheredMeanwhileUpToWhatTheDaemonGrants) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  ready_ = {0, 80};
  now_ += 1s;
  answer(204, "5");
  EXPECT_EQ(said(), "PATCH/r1/lines 5+75");
  ready_ = {0, 1000};
  now_ += 1s;
  answer(204, "80");
  EXPECT_EQ(said(), "PATCH/r1/lines 80+100");
}

TEST_F(Uploading, PatchesBeginAtLeast25MillisecondsApart) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  now_ += 10ms;
  answer(204, "5");
  ready_ = {0, 6};
  EXPECT_EQ(said(), "wait 15");
  now_ += 15ms;
  EXPECT_EQ(said(), "PATCH/r1/lines 5+1");
}

TEST_F(Uploading, BytesThatAreNoLongerAtHandAreWaitedFor) {
  greet();
  ready_ = {30, 60};
  EXPECT_EQ(said(), "wait 15000");
  EXPECT_EQ(machine_.acknowledged(), 0u);
  ready_ = {0, 60};
  EXPECT_EQ(said(), "PATCH/r1/lines 0+60");
}

TEST_F(Uploading, OnlyTheHeaderOfAnAnswerAcknowledges) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(204);
  EXPECT_EQ(machine_.acknowledged(), 0u);
  now_ += 1s;
  EXPECT_EQ(said(), "HEAD/r1/lines");
  answer(200, "5");
  EXPECT_EQ(machine_.acknowledged(), 5u);
}

TEST_F(Uploading, ABrokenPatchMayHaveBeenStoredSoTheDaemonIsAsked) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  machine_.broken(now_);
  EXPECT_EQ(said(), "wait 500");
  now_ += 500ms;
  EXPECT_EQ(said(), "HEAD/r1/lines");
  answer(200, "3");
  EXPECT_EQ(said(), "PATCH/r1/lines 3+2");
}

TEST_F(Uploading, ABrokenPostIsPostedAgain) {
  ASSERT_EQ(said(), "POST runs");
  machine_.broken(now_);
  now_ += 500ms;
  EXPECT_EQ(said(), "POST runs");
}

TEST_F(Uploading, ABrokenEventIsSentAgain) {
  greet();
  machine_.add_event(0, R"({"event":"label","key":"a","value":"b"})");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  machine_.broken(now_);
  now_ += 500ms;
  EXPECT_EQ(said(), "PUT/r1/events/1");
  EXPECT_EQ(sent_.head.body, R"({"offset":0,"event":"label","key":"a","value":"b"})");
}

TEST_F(Uploading, PartOfAPatchMayBeAcknowledged) {
  greet();
  ready_ = {0, 50};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+50");
  now_ += 1s;
  answer(204, "20");
  EXPECT_EQ(said(), "PATCH/r1/lines 20+30");
}

TEST_F(Uploading, AnotherForwarderMayHaveBroughtTheRunFurther) {
  greet();
  ready_ = {0, 50};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+50");
  now_ += 1s;
  answer(204, "70");
  ready_ = {0, 90};
  EXPECT_EQ(said(), "PATCH/r1/lines 70+20");
}

TEST_F(Uploading, DivergedStopsForGood) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  conflict("diverged", "9");
  is_stopped(upload_stop::until::never, "diverged");
}

TEST_F(Uploading, MoreBytesThereThanTheWholeStreamHasIsDivergedToo) {
  ready_ = {0, 5, true};
  ASSERT_EQ(said(), "POST runs");
  answer(200, "", R"({"run":"r1","offset":6})");
  is_stopped(upload_stop::until::never, "diverged");
}

TEST_F(Uploading, AGapRewinds) {
  ready_ = {0, 50};
  ASSERT_EQ(said(), "POST runs");
  answer(200, "", R"({"run":"r1","offset":40})");
  ASSERT_EQ(said(), "PATCH/r1/lines 40+10");
  conflict("gap", "12");
  EXPECT_EQ(machine_.acknowledged(), 12u);
  now_ += 25ms;
  EXPECT_EQ(said(), "PATCH/r1/lines 12+38");
}

TEST_F(Uploading, AGapThatIsNoneIsAskedAboutAfterAWhile) {
  greet();
  ready_ = {0, 50};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+50");
  conflict("gap", "0");
  EXPECT_EQ(said(), "wait 500");
  now_ += 1s;
  EXPECT_EQ(said(), "HEAD/r1/lines");
}

TEST_F(Uploading, BusyIsAskedAboutAfterAWhile) {
  greet();
  ready_ = {0, 50};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+50");
  conflict("busy", "0");
  EXPECT_EQ(said(), "wait 500");
  now_ += 1s;
  EXPECT_EQ(said(), "HEAD/r1/lines");
}

TEST_F(Uploading, AnEventIsSentWhenItsOffsetIsAcknowledged) {
  greet();
  machine_.add_event(10, R"({"event":"interrupt"})");
  ready_ = {0, 9};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+9");
  answer(204, "9");
  now_ += 1s;
  ready_ = {0, 20};
  ASSERT_EQ(said(), "PATCH/r1/lines 9+1");
  answer(204, "10");
  EXPECT_EQ(said(), "PUT/r1/events/1");
  EXPECT_EQ(sent_.head.body, R"({"offset":10,"event":"interrupt"})");
  answer(204);
  now_ += 1s;
  EXPECT_EQ(said(), "PATCH/r1/lines 10+10");
}

TEST_F(Uploading, ADocumentIsSentBeforeTheBytesBehindIt) {
  attach_at(4);
  EXPECT_FALSE(sent_.document);
  answer(204, "4");
  ASSERT_EQ(said(), plan_put);
  EXPECT_EQ(sent_.document, feed::attachment::plan);
  EXPECT_EQ(header("Upload-Secret"), "s3cret");
  answer(204, "4");
  now_ += 1s;
  EXPECT_EQ(said(), "PATCH/r1/lines 4+6");
}

TEST_F(Uploading, WhatTheDaemonWontTakeIsLeftOutAndSaidOnce) {
  for (const unsigned status : {400u, 413u, 409u}) {
    SCOPED_TRACE(status);
    start_over();
    attach_at(0);
    if (status == 409)
      conflict("attached");
    else
      answer(status, "", R"({"message":"why"})");
    EXPECT_NE(machine_.take_remark(), "");
    EXPECT_EQ(machine_.take_remark(), "");
    goes_on_without();
  }
}

TEST_F(Uploading, ADocumentThatIsNotAtHandIsLeftOut) {
  attach_at(0);
  machine_.leave_out("its file can't be read");
  EXPECT_EQ(machine_.take_remark(), "the run's plan is not sent: its file can't be read");
  goes_on_without();
}

TEST_F(Uploading, ADaemonThatKnowsTheRunAndNotTheRouteGetsNoDocuments) {
  attach_at(0);
  answer(404);
  ASSERT_EQ(said(), "HEAD/r1/lines");
  answer(200, "0");
  goes_on_without();
  machine_.add_event(10, R"({"event":"attachment"})", feed::attachment::config);
  answer(204, "10");
  EXPECT_EQ(said(), "PUT/r1/events/2");
}

TEST_F(Uploading, ADaemonThatLostTheRunGetsItsDocumentsAgain) {
  attach_at(0);
  answer(404);
  ASSERT_EQ(said(), "HEAD/r1/lines");
  answer(404);
  greet();
  EXPECT_EQ(said(), plan_put);
}

TEST_F(Uploading, ATroubleOfTheMomentIsTriedAFewTimes) {
  attach_at(0);
  for (int i = 0; i < 4; ++i) {
    answer(503, "", "", "1");
    now_ += 1s;
    ASSERT_EQ(said(), plan_put);
  }
  answer(503);
  goes_on_without();
}

TEST_F(Uploading, AnOutageIsNoTry) {
  attach_at(0);
  machine_.broken(now_);
  for (int i = 0; i < 20; ++i) {
    now_ += 40s;
    ASSERT_EQ(said(), "HEAD/r1/lines");
    machine_.broken(now_);
  }
  now_ += 40s;
  ASSERT_EQ(said(), "HEAD/r1/lines");
  answer(200, "0");
  EXPECT_EQ(said(), plan_put);
}

// It was left out by the process before this one, or by this one and not by that.
TEST_F(Uploading, WhatStandsThereUnderTheNumberStays) {
  attach_at(0);
  conflict("event");
  now_ += 1s;
  EXPECT_EQ(said(), "PATCH/r1/lines 0+10");
  start_over();
  attach_at(0);
  machine_.leave_out("");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  conflict("event");
  now_ += 1s;
  EXPECT_EQ(said(), "PATCH/r1/lines 0+10");
}

TEST_F(Uploading, TheEndIsBytesThenEventsThenComplete) {
  greet();
  machine_.add_event(5, R"({"event":"exit","status":1})");
  ready_ = {0, 5, true};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(204, "5");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  answer(204);
  ASSERT_EQ(said(), "PATCH/r1/lines 5+0 complete");
  answer(204, "5");
  EXPECT_EQ(said(), "over");
  EXPECT_TRUE(machine_.complete());
  EXPECT_FALSE(machine_.stopped());
}

TEST_F(Uploading, AnEmptyStreamIsCompletedToo) {
  greet();
  ready_ = {0, 0, true};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+0 complete");
  answer(204, "0");
  EXPECT_EQ(said(), "over");
  EXPECT_TRUE(machine_.complete());
}

TEST_F(Uploading, ACompletionThatBrokeIsFoundDone) {
  greet();
  ready_ = {0, 0, true};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+0 complete");
  machine_.broken(now_);
  now_ += 1s;
  ASSERT_EQ(said(), "HEAD/r1/lines");
  machine_.answered(now_, {200, {{"Upload-Offset", "0"}, {"Upload-Complete", "?1"}}, ""});
  EXPECT_EQ(said(), "over");
  EXPECT_TRUE(machine_.complete());
}

TEST_F(Uploading, ARunThatIsCompleteThereAndLongerHereStopsForGood) {
  greet();
  ready_ = {0, 5, true};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  conflict("complete", "0");
  is_stopped(upload_stop::until::never, "complete");
}

TEST_F(Uploading, CompletedByAnotherForwarderIsComplete) {
  greet();
  ready_ = {0, 5, true};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  conflict("complete", "5");
  EXPECT_EQ(said(), "over");
  EXPECT_TRUE(machine_.complete());
}

TEST_F(Uploading, SilenceOf15SecondsIsAnEmptyPatch) {
  greet();
  EXPECT_EQ(said(), "wait 15000");
  now_ += 15s;
  EXPECT_EQ(said(), "PATCH/r1/lines 0+0");
  answer(204, "0");
  EXPECT_EQ(said(), "wait 15000");
}

TEST_F(Uploading, TheDaemonSaysHowOftenItWantsToHear) {
  greet(R"({"run":"r1","offset":0,"keepalive_s":3})");
  EXPECT_EQ(said(), "wait 3000");
}

TEST_F(Uploading, UnauthorizedAndForbiddenStopUntilSomebodyResumes) {
  for (const unsigned status : {401u, 403u}) {
    upload fresh{"{}", "s", [] { return 1.0; }};
    std::swap(machine_, fresh);
    greet();
    ready_ = {0, 5};
    ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
    answer(status, "", R"({"code":"x","message":"ask Ann"})");
    is_stopped(upload_stop::until::asked, "refused");
    EXPECT_NE(machine_.stopped()->sentence.find("ask Ann"), std::string::npos);
  }
}

TEST_F(Uploading, ADaemonThatLostTheRunGetsItAgain) {
  ready_ = {0, 50};
  machine_.add_event(0, R"({"event":"interrupt"})");
  ASSERT_EQ(said(), "POST runs");
  answer(200, "", R"({"run":"r1","offset":40})");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  answer(204);
  ASSERT_EQ(said(), "PATCH/r1/lines 40+10");
  answer(404);
  EXPECT_FALSE(machine_.acknowledged());
  ASSERT_EQ(said(), "POST runs");
  answer(201, "", R"({"run":"r2","offset":0})");
  ASSERT_EQ(said(), "PUT/r2/events/1");
  answer(204);
  now_ += 25ms;
  EXPECT_EQ(said(), "PATCH/r2/lines 0+50");
}

TEST_F(Uploading, ADaemonThatLosesItAgainAndAgainIsNotHammered) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(404);
  ASSERT_EQ(said(), "POST runs");
  answer(201, "", granted);
  now_ += 25ms;
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(404);
  EXPECT_EQ(said(), "wait 500");
}

TEST_F(Uploading, WhatTakesNoUploadsAtAllStops) {
  ASSERT_EQ(said(), "POST runs");
  answer(404);
  is_stopped(upload_stop::until::asked, "refused");
}

TEST_F(Uploading, RemovedByAPersonIsNeverSentAgain) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(410);
  is_stopped(upload_stop::until::never, "removed");
}

TEST_F(Uploading, TooLargeHalvesTheBody) {
  greet();
  ready_ = {0, 80};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+80");
  answer(413);
  now_ += 25ms;
  ASSERT_EQ(said(), "PATCH/r1/lines 0+40");
  answer(413);
  now_ += 25ms;
  EXPECT_EQ(said(), "PATCH/r1/lines 0+20");
}

TEST_F(Uploading, ADaemonThatTakesNotEvenOneByteStops) {
  greet();
  ready_ = {0, 1};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+1");
  answer(413);
  is_stopped(upload_stop::until::asked, "refused");
}

TEST_F(Uploading, BusyDaemonsAreTriedAgainAfterTwiceTheTimeUpTo30Seconds) {
  greet();
  ready_ = {0, 5};
  const unsigned statuses[] = {429, 503, 507, 500, 502, 504, 503, 503};
  const int waits[] = {500, 1000, 2000, 4000, 8000, 16000, 30000, 30000};
  for (std::size_t i = 0; i < std::size(waits); ++i) {
    ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
    answer(statuses[i]);
    EXPECT_EQ(machine_.acknowledged(), 0u);
    EXPECT_EQ(said(), "wait " + std::to_string(waits[i]));
    now_ += 30s;
  }
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(204, "5");
  ready_ = {0, 6};
  now_ += 1s;
  ASSERT_EQ(said(), "PATCH/r1/lines 5+1");
  answer(503);
  EXPECT_EQ(said(), "wait 500");
}

TEST_F(Uploading, TheWaitIsAnyTimeUpToThat) {
  random_ = 0.25;
  ASSERT_EQ(said(), "POST runs");
  machine_.broken(now_);
  EXPECT_EQ(said(), "wait 125");
}

TEST_F(Uploading, RetryAfterWins) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(503, "", "", "90");
  EXPECT_EQ(said(), "wait 90000");
}

TEST_F(Uploading, AnAnswerToThePostThatNoDaemonGivesIsNotTrusted) {
  ASSERT_EQ(said(), "POST runs");
  answer(200, "", "<html>It works!</html>");
  EXPECT_FALSE(machine_.in_contact());
  EXPECT_EQ(said(), "wait 500");
  now_ += 1s;
  EXPECT_EQ(said(), "POST runs");
}

TEST_F(Uploading, AnAnswerThatNoRuleKnowsStops) {
  ASSERT_EQ(said(), "POST runs");
  answer(301);
  is_stopped(upload_stop::until::asked, "refused");
}

TEST_F(Uploading, OtherRulesOrAnotherSecretThereStopForGood) {
  ASSERT_EQ(said(), "POST runs");
  conflict("conflict");
  is_stopped(upload_stop::until::never, "conflict");
}

TEST_F(Uploading, EventsThatTheDaemonLostAreSentFromTheFirstOnOnce) {
  greet();
  machine_.add_event(0, R"({"event":"a"})");
  machine_.add_event(0, R"({"event":"b"})");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  answer(204);
  ASSERT_EQ(said(), "PUT/r1/events/2");
  conflict("order");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  answer(204);
  ASSERT_EQ(said(), "PUT/r1/events/2");
  conflict("order");
  is_stopped(upload_stop::until::never, "order");
}

TEST_F(Uploading, AnotherEventUnderTheSameNumberStopsForGood) {
  greet();
  machine_.add_event(0, R"({"event":"a"})");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  conflict("event");
  is_stopped(upload_stop::until::never, "event");
}

TEST_F(Uploading, KnowsWhetherTheDaemonAnswers) {
  EXPECT_FALSE(machine_.in_contact());
  greet();
  EXPECT_TRUE(machine_.in_contact());
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  machine_.broken(now_);
  EXPECT_FALSE(machine_.in_contact());
}

}  // namespace
}  // namespace tofud::forward
