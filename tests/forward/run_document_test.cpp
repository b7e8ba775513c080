// What a daemon is told of a run besides its bytes.
#include "daemon/forward/run_document.hpp"

#include <gtest/gtest.h>

namespace tofud::forward {
namespace {

constexpr std::string_view begin =
    R"({"offset":0,"event":"begin","id":"20261121T0312-7f3a","stack":"a","labels":{},"command":null})"
    "\n";

std::vector<std::string> texts(const std::vector<sent_event>& events) {
  std::vector<std::string> all;
  for (const auto& each : events) {
    all.push_back((each.offset ? std::to_string(*each.offset) : "end") + " " + each.fields);
  }
  return all;
}

TEST(RunDocument, AsksForTheRunWithAllThatIsKnownOfIt) {
  upload_record record;
  record.upload_id = "u";
  record.upload_secret = "s";
  record.rules = "sha256:1";
  record.started_at = "2026-11-21T03:12:00Z";
  EXPECT_EQ(
      post_body(record,
                {"20261121T0312-7f3a", "net/prod", {{"pr", "12"}}, feed::run_command::apply, true}),
      R"({"protocol":"1.0","upload_id":"u","upload_secret":"s","rules":"sha256:1",)"
      R"("id":"20261121T0312-7f3a","stack":"net/prod","labels":{"pr":"12"},)"
      R"("argv_command":"apply","may_ask":true,"started_at":"2026-11-21T03:12:00Z"})");
}

TEST(RunDocument, WhatIsUnknownIsNull) {
  EXPECT_EQ(post_body({}, {}),
            R"({"protocol":"1.0","upload_id":"","upload_secret":"","rules":"","stack":null,)"
            R"("labels":{},"argv_command":null,"may_ask":false,"started_at":null})");
}

TEST(RunDocument, EventsKeepTheirOrderAndTheExitStatusComesLast) {
  const std::string file =
      std::string{begin} +
      R"({"offset":0,"event":"plan_file","role":"argument","sha256":"ab","bytes":7})"
      "\n"
      R"({"offset":8123,"event":"exit_status","status":2})"
      "\n"
      R"({"offset":8123,"event":"plan_file","role":"out","sha256":"cd","bytes":8})"
      "\n"
      R"({"offset":8123,"event":"end"})"
      "\n";
  EXPECT_EQ(texts(events_to_send(file, run_phase::over)),
            (std::vector<std::string>{
                R"(0 {"event":"plan_file","role":"argument","sha256":"ab","bytes":7})",
                R"(8123 {"event":"plan_file","role":"out","sha256":"cd","bytes":8})",
                R"(end {"event":"exit","status":2})"}));
}

TEST(RunDocument, ALaterLookFindsTheSameEventsAndMore) {
  const std::string file = std::string{begin} +
                           R"({"offset":0,"event":"label","key":"a","value":"b"})"
                           "\n"
                           R"({"offset":9,"event":"label","key":"c","value":"d"})"
                           "\n"
                           R"({"offset":0,"event":"label","key":"e","value":"f"})"
                           "\n";
  const auto all = texts(events_to_send(file, run_phase::over));
  EXPECT_EQ(all, (std::vector<std::string>{R"(0 {"event":"label","key":"a","value":"b"})",
                                           R"(9 {"event":"label","key":"c","value":"d"})",
                                           R"(0 {"event":"label","key":"e","value":"f"})"}));
  for (std::size_t size = 0; size <= file.size(); ++size) {
    const auto some = texts(events_to_send(file.substr(0, size), run_phase::open));
    ASSERT_LE(some.size(), all.size());
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << size;
  }
}

TEST(RunDocument, AttachmentIsSentAsItsDocument) {
  const auto events = events_to_send(
      R"({"offset":512,"event":"attachment","part":"plan","sha256":"2c26","bytes":48})"
      "\n"
      R"({"offset":513,"event":"attachment","part":"moon","sha256":"2c26","bytes":48})"
      "\n",
      run_phase::open);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].offset, 512U);
  EXPECT_EQ(events[0].part, feed::attachment::plan);
}

TEST(RunDocument, LinesThatAreNoEventsArePassedOver) {
  EXPECT_TRUE(events_to_send("nonsense\n{}\n[]\n{\"event\":7}\n", run_phase::over).empty());
  EXPECT_TRUE(events_to_send("", run_phase::over).empty());
}

}  // namespace
}  // namespace tofud::forward
