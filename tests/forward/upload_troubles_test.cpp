// What a forwarder makes of answers that are no success.
#include "tests/forward/uploading.hpp"

#include <gtest/gtest.h>

namespace tofud::forward {
namespace {

using tests::granted;
using tests::supply;
using tests::Uploading;
using namespace std::chrono_literals;

TEST_F(Uploading, UnauthorizedAndForbiddenWaitForResume) {
  for (const unsigned status : {401u, 403u}) {
    upload fresh{"{}", "s", [] { return 1.0; }};
    std::swap(machine_, fresh);
    greet();
    ready_ = {0, 5};
    ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
    answer(status, "", R"({"code":"x","message":"ask Ann"})");
    if (status == 401) {
      // What it shows when it asks for the run again may be newer.
      ASSERT_EQ(said(), "POST runs");
      answer(status, "", R"({"code":"x","message":"ask Ann"})");
    }
    is_stopped(upload_stop::until::asked, "refused");
    EXPECT_NE(machine_.stopped()->sentence.find("ask Ann"), std::string::npos);
  }
}

TEST_F(Uploading, WhoIsRefusedAgainAtOnceStops) {
  greet();
  ready_ = {0, 5};
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(401);
  ASSERT_EQ(said(), "POST runs");
  answer(200, "", R"({"run":"r1","offset":0})");
  now_ += 25ms;
  ASSERT_EQ(said(), "PATCH/r1/lines 0+5");
  answer(401, "", R"({"code":"x","message":"ask Ann"})");
  is_stopped(upload_stop::until::asked, "refused");
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

TEST_F(Uploading, ADaemonThatLosesTheRunRepeatedlyIsAskedLessOften) {
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

TEST_F(Uploading, AServerWithoutUploadsEndsTheUpload) {
  ASSERT_EQ(said(), "POST runs");
  answer(404);
  is_stopped(upload_stop::until::asked, "refused");
}

TEST_F(Uploading, ARemovedRunIsNeverSentAgain) {
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

TEST_F(Uploading, ADaemonThatRefusesOneByteEndsTheUpload) {
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

TEST_F(Uploading, TheWaitIsRandomUpToItsLimit) {
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

TEST_F(Uploading, AnInvalidAnswerToThePostIsNotTrusted) {
  ASSERT_EQ(said(), "POST runs");
  answer(200, "", "<html>It works!</html>");
  EXPECT_FALSE(machine_.in_contact());
  EXPECT_EQ(said(), "wait 500");
  now_ += 1s;
  EXPECT_EQ(said(), "POST runs");
}

TEST_F(Uploading, AnUnknownAnswerEndsTheUpload) {
  ASSERT_EQ(said(), "POST runs");
  answer(301);
  is_stopped(upload_stop::until::asked, "refused");
}

TEST_F(Uploading, OtherRulesOrAnotherSecretThereEndTheUpload) {
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
