#include "daemon/ingest/run_event.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tofud::ingest;
using testing::HasSubstr;

namespace {

std::string failure_of(std::string_view json) {
  const auto read = parse_run_event(json);
  return read ? "" : read.error();
}

TEST(RunEvent, ExitHasAStatus) {
  const auto event = parse_run_event(R"({"offset":8123,"event":"exit","status":2})");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->what, run_event::sort::exit);
  EXPECT_EQ(event->offset, 8123U);
  EXPECT_EQ(event->status, 2);
}

TEST(RunEvent, LabelHasKeyAndValue) {
  const auto event = parse_run_event(R"({"offset":0,"event":"label","key":"pr","value":"12"})");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->what, run_event::sort::label);
  EXPECT_EQ(event->name, "pr");
  EXPECT_EQ(event->text, "12");
}

TEST(RunEvent, PlanFileHasRoleAndHash) {
  const auto event =
      parse_run_event(R"({"offset":9,"event":"plan_file","role":"out","sha256":"ab","bytes":7})");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->what, run_event::sort::plan_file);
  EXPECT_EQ(event->name, "out");
  EXPECT_EQ(event->text, "ab");
}

TEST(RunEvent, WhatIsNotKnownIsKeptAsSomethingElse) {
  const auto event = parse_run_event(R"({"offset":9,"event":"moon","phase":"full"})");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->what, run_event::sort::other);
}

TEST(RunEvent, SaysWhichFieldIsWrong) {
  EXPECT_THAT(failure_of("x"), HasSubstr("JSON"));
  EXPECT_THAT(failure_of(R"({"event":"exit"})"), HasSubstr("offset"));
  EXPECT_THAT(failure_of(R"({"offset":-1,"event":"exit"})"), HasSubstr("offset"));
  EXPECT_THAT(failure_of(R"({"offset":1})"), HasSubstr("event"));
  EXPECT_THAT(failure_of(R"({"offset":1,"event":"exit"})"), HasSubstr("status"));
  EXPECT_THAT(failure_of(R"({"offset":1,"event":"exit","status":256})"), HasSubstr("status"));
  EXPECT_THAT(failure_of(R"({"offset":1,"event":"label"})"), HasSubstr("key"));
  EXPECT_THAT(failure_of(R"({"offset":1,"event":"plan_file","role":"x"})"), HasSubstr("role"));
}

TEST(RunEvent, ABrokenSenderIsSaidAndReadAlike) {
  const auto event = parse_run_event(broken_event(42));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->what, run_event::sort::broken);
  EXPECT_EQ(event->offset, 42U);
}

}  // namespace
