#include "daemon/spool/prune.hpp"

#include "daemon/files/descriptor.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>

namespace tofud::spool {

std::ostream& operator<<(std::ostream& out, const pruned_run& run) {
  return out << run.id << " " << run.bytes;
}

namespace {

using namespace std::chrono_literals;
using removed = std::vector<pruned_run>;

constexpr auto day = 24h;
const auto now = std::chrono::system_clock::from_time_t(1795230720);

void set_age(const std::string& path, std::chrono::seconds age) {
  const auto seconds = std::chrono::system_clock::to_time_t(now - age);
  const std::array<timespec, 2> times = {timespec{seconds, 0}, timespec{seconds, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
}

/// A spool of so many bytes, last written so long ago.
void keep(const tests::scratch_directory& scratch, const std::string& id, std::size_t bytes,
          std::chrono::seconds age) {
  const auto path = scratch / (id + ".jsonl");
  tests::write_file(path, std::string(bytes, 'x'));
  set_age(path, age);
}

bool has(const tests::scratch_directory& scratch, const std::string& name) {
  return std::filesystem::exists(scratch / name);
}

TEST(Prune, TakesRunsOverAMonthOldWithTheFilesBesideThem) {
  const tests::scratch_directory scratch;
  keep(scratch, "20261001T0000-0001", 10, 31 * day);
  tests::write_file(scratch / "20261001T0000-0001.events", "12345");
  tests::write_file(scratch / "20261001T0000-0001.state.json", "123");
  keep(scratch, "20261110T0000-0002", 10, 10 * day);
  EXPECT_EQ(prune(scratch.path(), now), (removed{{"20261001T0000-0001", 18}}));
  EXPECT_FALSE(has(scratch, "20261001T0000-0001.jsonl"));
  EXPECT_FALSE(has(scratch, "20261001T0000-0001.events"));
  EXPECT_FALSE(has(scratch, "20261001T0000-0001.state.json"));
  EXPECT_TRUE(has(scratch, "20261110T0000-0002.jsonl"));
}

TEST(Prune, TakesTheOldestUntilTheRestFits) {
  const tests::scratch_directory scratch;
  keep(scratch, "20261101T0000-0001", 60, 20 * day);
  keep(scratch, "20261102T0000-0002", 60, 19 * day);
  keep(scratch, "20261103T0000-0003", 60, 18 * day);
  const auto result = prune(scratch.path(), now, {day, 30 * day, 70});
  EXPECT_EQ(result, (removed{{"20261101T0000-0001", 60}, {"20261102T0000-0002", 60}}));
  EXPECT_TRUE(has(scratch, "20261103T0000-0003.jsonl"));
}

TEST(Prune, RunsOfTheLastDayStayHoweverLargeTheyAre) {
  const tests::scratch_directory scratch;
  keep(scratch, "20261120T1200-0001", 60, 15h);
  EXPECT_EQ(prune(scratch.path(), now, {day, 30 * day, 10}), removed{});
}

TEST(Prune, RunsInUseStayAndTheNextOldestGo) {
  const tests::scratch_directory scratch;
  keep(scratch, "20261101T0000-0001", 60, 20 * day);
  keep(scratch, "20261102T0000-0002", 60, 19 * day);
  const files::descriptor user{::open((scratch / "20261101T0000-0001.jsonl").c_str(), O_RDWR)};
  ASSERT_EQ(::flock(user.get(), LOCK_EX), 0);
  EXPECT_EQ(prune(scratch.path(), now, {day, 30 * day, 70}), (removed{{"20261102T0000-0002", 60}}));
  EXPECT_TRUE(has(scratch, "20261101T0000-0001.jsonl"));
}

TEST(Prune, UnsentRunsStayAndTheNextOldestGo) {
  const tests::scratch_directory scratch;
  keep(scratch, "20261001T0000-0001", 60, 50 * day);
  keep(scratch, "20261002T0000-0002", 60, 49 * day);
  tests::write_file(scratch / "20261002T0000-0002.mask", "1");
  tests::write_file(scratch / "20261002T0000-0002.upload", "12");
  const auto lacks_first = [&](const std::string& path) {
    return path == scratch / "20261001T0000-0001.jsonl";
  };
  EXPECT_EQ(prune(scratch.path(), now, {}, lacks_first), (removed{{"20261002T0000-0002", 63}}));
  EXPECT_TRUE(has(scratch, "20261001T0000-0001.jsonl"));
  EXPECT_FALSE(has(scratch, "20261002T0000-0002.mask"));
  EXPECT_FALSE(has(scratch, "20261002T0000-0002.upload"));
}

TEST(Prune, LeavesFilesThatAreNoRuns) {
  const tests::scratch_directory scratch;
  keep(scratch, "notes", 60, 300 * day);
  std::filesystem::create_symlink("/etc/passwd", scratch / "20261101T0000-0001.jsonl");
  std::filesystem::create_directory(scratch / "20261102T0000-0002.jsonl");
  EXPECT_EQ(prune(scratch.path(), now, {0s, 0s, 0}), removed{});
  EXPECT_TRUE(has(scratch, "notes.jsonl"));
}

TEST(Prune, DirectoryThatIsNotThereHasNothingToRemove) {
  const tests::scratch_directory scratch;
  EXPECT_EQ(prune(scratch / "missing", now), removed{});
}

}  // namespace
}  // namespace tofud::spool
