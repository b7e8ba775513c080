#include "daemon/run_events.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tofud {
namespace {

std::vector<std::pair<std::string, std::string>> labels(const run_events& events) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const feed::label& each : events.identity.labels) all.emplace_back(each.key, each.value);
  return all;
}

correlator::run_identity told() {
  correlator::run_identity run;
  run.id = "20261121T0312-7f3a";
  run.stack = "net/\"prod\"\n";
  run.labels = {{"pr", "12"}, {"a \\ b", "é"}};
  return run;
}

TEST(RunEvents, SayAgainWhatWasWritten) {
  const run_events read = parse_events(begin_event(told()) + "\n" + end_event(812) + "\n");
  EXPECT_EQ(read.identity.id, told().id);
  EXPECT_EQ(read.identity.stack, told().stack);
  EXPECT_EQ(labels(read),
            (std::vector<std::pair<std::string, std::string>>{{"pr", "12"}, {"a \\ b", "é"}}));
  EXPECT_TRUE(read.ended);
  EXPECT_FALSE(read.exit_status);
}

TEST(RunEvents, AreOneLineEachWithTheirOffset) {
  EXPECT_EQ(begin_event({"R", "", {}, {}, feed::cut::at_limit}),
            R"({"offset":0,"event":"begin","id":"R","stack":null,"labels":{}})");
  EXPECT_EQ(begin_event(told()).find('\n'), std::string::npos);
  EXPECT_EQ(end_event(812), R"({"offset":812,"event":"end"})");
}

TEST(RunEvents, OfARunThatIsOnHaveNoEnd) {
  EXPECT_FALSE(parse_events(begin_event(told()) + "\n").ended);
}

TEST(RunEvents, KnowTheExitStatusWhereSomebodyDid) {
  const run_events read = parse_events("{\"offset\":9,\"event\":\"exit_status\",\"status\":1}\n");
  EXPECT_EQ(read.exit_status, 1);
}

TEST(RunEvents, PassOverWhatIsNoEvent) {
  const run_events read = parse_events(
      "garbage\n[]\n{}\n{\"event\":7}\n{\"event\":\"begin\",\"stack\":[],\"labels\":7}\n"
      "{\"event\":\"exit_status\",\"status\":\"x\"}\n{\"event\":\"later\",\"offset\":1}\n{"
      "\"event\":\"end\"");
  EXPECT_EQ(read.identity.id, "");
  EXPECT_EQ(read.identity.stack, "");
  EXPECT_TRUE(labels(read).empty());
  EXPECT_FALSE(read.exit_status);
  EXPECT_FALSE(read.ended);
}

TEST(RunEvents, LieBesideTheStream) {
  std::string name = (std::filesystem::temp_directory_path() / "tofud-events-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(name.data());
  std::ofstream{folder / "R.events"} << begin_event(told()) << "\n";
  EXPECT_EQ(read_events((folder / "R.jsonl").string()).identity.stack, told().stack);
  EXPECT_EQ(read_events((folder / "R.jsonl.gz").string()).identity.stack, told().stack);
  EXPECT_EQ(read_events((folder / "other.jsonl").string()).identity.stack, "");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tofud
