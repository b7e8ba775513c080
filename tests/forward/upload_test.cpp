// Every rule of the upload, from the forwarder's side: what it sends, and in which order.
#include "tests/forward/uploading.hpp"

#include <gtest/gtest.h>

namespace tofud::forward {
namespace {

using tests::granted;
using tests::supply;
using tests::Uploading;
using namespace std::chrono_literals;

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

TEST_F(Uploading, AnInvalidGapIsAskedAboutLater) {
  greet();
  ready_ = {0, 50};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+50");
  conflict("gap", "0");
  EXPECT_EQ(said(), "wait 500");
  now_ += 1s;
  EXPECT_EQ(said(), "HEAD/r1/lines");
}

TEST_F(Uploading, ABusyDaemonIsAskedLater) {
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

TEST_F(Uploading, RefusedDocumentsAreLeftOutAndReportedOnce) {
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

TEST_F(Uploading, ATemporaryErrorIsRetriedAFewTimes) {
  attach_at(0);
  for (int i = 0; i < 4; ++i) {
    answer(503, "", "", "1");
    now_ += 1s;
    ASSERT_EQ(said(), plan_put);
  }
  answer(503);
  goes_on_without();
}

TEST_F(Uploading, AnOutageIsNotCountedAsATry) {
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
TEST_F(Uploading, AnEventOfTheSameNumberStays) {
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

TEST_F(Uploading, EventsThatTheDaemonLostAreSentAgainBeforeItCompletes) {
  greet();
  machine_.add_event(5, R"({"event":"exit","status":1})");
  ready_ = {0, 5, true};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(204, "5");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  answer(204);
  ASSERT_EQ(said(), "PATCH/r1/lines 5+0 complete");
  EXPECT_EQ(header("Upload-Events"), "1");
  conflict("events", "5");
  ASSERT_EQ(said(), "PUT/r1/events/1");
  answer(204);
  ASSERT_EQ(said(), "PATCH/r1/lines 5+0 complete");
  conflict("events", "5");  // it takes them and does not have them
  is_stopped(upload_stop::until::never, "events");
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

TEST_F(Uploading, TheDaemonSetsTheInterval) {
  greet(R"({"run":"r1","offset":0,"keepalive_s":3})");
  EXPECT_EQ(said(), "wait 3000");
}

}  // namespace
}  // namespace tofud::forward
