#include "protocol/events/known_run.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tofud::events {
namespace {

std::vector<std::pair<std::string, std::string>> labels(const known_run& known) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const feed::label& each : known.labels) all.emplace_back(each.key, each.value);
  return all;
}

const std::string id = "20261121T0312-7f3a", stack = "net/\"prod\"\n";

std::string lines(const std::vector<event>& all) {
  std::string text;
  for (const event& each : all) text += text_of(each) + "\n";
  return text;
}

const event began{0, begin{id, stack, {{"pr", "12"}, {"a \\ b", "é"}}, {}}};

TEST(KnownRun, ReadsWhatWasWritten) {
  const known_run read = parse_lines(lines({began, {812, end{}}}));
  EXPECT_EQ(read.id, id);
  EXPECT_EQ(read.stack, stack);
  EXPECT_EQ(labels(read),
            (std::vector<std::pair<std::string, std::string>>{{"pr", "12"}, {"a \\ b", "é"}}));
  EXPECT_TRUE(read.ended);
  EXPECT_FALSE(read.exit_status);
}

TEST(KnownRun, RunningRunHasNoEnd) { EXPECT_FALSE(parse_lines(lines({began})).ended); }

TEST(KnownRun, HasItsCommandIfAnEventHasIt) {
  EXPECT_EQ(parse_lines(lines({{0, begin{"R", "", {}, feed::run_command::destroy}}})).command,
            feed::run_command::destroy);
  EXPECT_FALSE(parse_lines(lines({began})).command);
}

TEST(KnownRun, HasItsExitStatusIfAnEventHasIt) {
  EXPECT_EQ(parse_lines(lines({{9, exit_status{1}}})).exit_status, 1);
}

TEST(KnownRun, ALaterLabelReplacesAnEarlierOne) {
  const known_run read = parse_lines(lines(
      {{0, begin{"R", "", {{"pr", "12"}}, {}}}, {4, label{"pr", "13"}}, {9, label{"who", "me"}}}));
  EXPECT_EQ(labels(read),
            (std::vector<std::pair<std::string, std::string>>{{"pr", "13"}, {"who", "me"}}));
}

TEST(KnownRun, HasEachAttachedPartOnceInOrderOfTheStream) {
  const std::string sum(64, 'a');
  const known_run read =
      parse_lines(lines({{9, attachment{feed::attachment::plan, sum, 5, 2}},
                         {4, attachment{feed::attachment::config, sum, 5, 0}},
                         {12, attachment{feed::attachment::plan, std::string(64, 'b'), 5, 0}},
                         {13, attachment{feed::attachment::schemas, "no hash", 5, 0}}}));
  ASSERT_EQ(read.attachments.size(), 2U);
  EXPECT_EQ(read.attachments[0].offset, 4U);
  EXPECT_EQ(read.attachments[1].what, (attachment{feed::attachment::plan, sum, 5, 2}));
}

TEST(KnownRun, SkipsLinesThatAreNoEvents) {
  const known_run read = parse_lines(
      "garbage\n[]\n{}\n{\"event\":7}\n{\"offset\":0,\"event\":\"begin\",\"stack\":[],\"labels\":7}"
      "\n"
      "{\"offset\":1,\"event\":\"exit_status\",\"status\":\"x\"}\n{\"event\":\"later\",\"offset\":"
      "1}\n{"
      "\"event\":\"end\"");
  EXPECT_EQ(read.id, "");
  EXPECT_EQ(read.stack, "");
  EXPECT_TRUE(labels(read).empty());
  EXPECT_FALSE(read.exit_status);
  EXPECT_FALSE(read.ended);
}

}  // namespace
}  // namespace tofud::events
