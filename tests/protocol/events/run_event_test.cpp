#include "protocol/events/run_event.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace tofud::events;

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
  EXPECT_NE(failure_of("x").find("JSON"), std::string::npos);
  EXPECT_NE(failure_of(R"({"event":"exit"})").find("offset"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":-1,"event":"exit"})").find("offset"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1})").find("event"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"exit"})").find("status"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"exit","status":256})").find("status"),
            std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"label"})").find("key"), std::string::npos);
  EXPECT_NE(failure_of(R"({"offset":1,"event":"plan_file","role":"x"})").find("role"),
            std::string::npos);
}

TEST(RunEvent, ABrokenSenderIsSaidAndReadAlike) {
  const auto event = parse_run_event(broken_event(42));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->what, run_event::sort::broken);
  EXPECT_EQ(event->offset, 42U);
}

}  // namespace
