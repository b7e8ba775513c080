#include "protocol/events/run_events.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tofud::events {
namespace {

std::vector<std::pair<std::string, std::string>> labels(const run_events& events) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const feed::label& each : events.labels) all.emplace_back(each.key, each.value);
  return all;
}

const std::string id = "20261121T0312-7f3a", stack = "net/\"prod\"\n";

std::string begin() { return begin_event(id, stack, {{"pr", "12"}, {"a \\ b", "é"}}, {}); }

TEST(RunEvents, SayAgainWhatWasWritten) {
  const run_events read = parse_events(begin() + "\n" + end_event(812) + "\n");
  EXPECT_EQ(read.id, id);
  EXPECT_EQ(read.stack, stack);
  EXPECT_EQ(labels(read),
            (std::vector<std::pair<std::string, std::string>>{{"pr", "12"}, {"a \\ b", "é"}}));
  EXPECT_TRUE(read.ended);
  EXPECT_FALSE(read.exit_status);
}

TEST(RunEvents, AreOneLineEachWithTheirOffset) {
  EXPECT_EQ(begin_event("R", "", {}, feed::run_command::apply),
            R"({"offset":0,"event":"begin","id":"R","stack":null,"labels":{},"command":"apply"})");
  EXPECT_EQ(begin().find('\n'), std::string::npos);
  EXPECT_EQ(end_event(812), R"({"offset":812,"event":"end"})");
}

TEST(RunEvents, OfARunThatIsOnHaveNoEnd) { EXPECT_FALSE(parse_events(begin() + "\n").ended); }

TEST(RunEvents, KnowTheCommandIfItWasTold) {
  EXPECT_EQ(parse_events(begin_event("R", "", {}, feed::run_command::destroy)).command,
            feed::run_command::destroy);
  EXPECT_FALSE(parse_events(begin()).command);
}

TEST(RunEvents, KnowTheExitStatusWhereSomebodyDid) {
  const run_events read = parse_events(exit_status_event(9, 1));
  EXPECT_EQ(read.exit_status, 1);
}

TEST(RunEvents, KnowThePlanFilesOfARun) {
  const plan_file out{plan_role::out, std::string(64, 'a'), 2841};
  const plan_file argument{plan_role::argument, std::string(64, '0'), 0};
  EXPECT_EQ(plan_file_event(7, out), R"({"offset":7,"event":"plan_file","role":"out","sha256":")" +
                                         out.sha256 + R"(","bytes":2841})");
  const run_events read =
      parse_events(plan_file_event(7, out) + "\n" + plan_file_event(9, argument));
  EXPECT_EQ(read.plan_files, (std::vector<plan_file>{out, argument}));
}

TEST(RunEvents, PassOverPlanFilesThatSayNothing) {
  EXPECT_TRUE(parse_events(R"({"event":"plan_file","role":"out","sha256":"short","bytes":1})"
                           "\n"
                           R"({"event":"plan_file","role":"other","sha256":")" +
                           std::string(64, 'a') + R"("})")
                  .plan_files.empty());
}

TEST(RunEvents, TakeALabelThatCameLaterInThePlaceOfAnEarlierOne) {
  const run_events read =
      parse_events(begin_event("R", "", {{"pr", "12"}}, {}) + "\n" + label_event(4, {"pr", "13"}) +
                   "\n" + label_event(9, {"who", "\"me\""}));
  EXPECT_EQ(labels(read),
            (std::vector<std::pair<std::string, std::string>>{{"pr", "13"}, {"who", "\"me\""}}));
}

TEST(RunEvents, KnowThatSomebodyInterrupted) {
  EXPECT_TRUE(parse_events(interrupt_event(4)).interrupted);
  EXPECT_FALSE(parse_events(begin()).interrupted);
}

TEST(RunEvents, PassOverWhatIsNoEvent) {
  const run_events read = parse_events(
      "garbage\n[]\n{}\n{\"event\":7}\n{\"event\":\"begin\",\"stack\":[],\"labels\":7}\n"
      "{\"event\":\"exit_status\",\"status\":\"x\"}\n{\"event\":\"later\",\"offset\":1}\n{"
      "\"event\":\"end\"");
  EXPECT_EQ(read.id, "");
  EXPECT_EQ(read.stack, "");
  EXPECT_TRUE(labels(read).empty());
  EXPECT_FALSE(read.exit_status);
  EXPECT_FALSE(read.ended);
}

}  // namespace
}  // namespace tofud::events
