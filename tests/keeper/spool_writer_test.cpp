#include "daemon/keeper/spool_writer.hpp"

#include "daemon/spool/run_id.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <limits>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::keeper {

std::ostream& operator<<(std::ostream& out, const storing_stop& stop) {
  return out << reason_text(stop) << " at " << stop.offset;
}

namespace {

using std::chrono::system_clock;

const system_clock::time_point begin = system_clock::from_time_t(1795230720);  // 2026-11-21 03:12

spool::environment no_variables() {
  return [](const char*) { return std::optional<std::string>{}; };
}

/// No place at all: under a regular file, root is refused too.
spool::environment no_place(const tests::scratch_directory& scratch) {
  tests::write_file(scratch / "file", "");
  return [tmp = scratch / "file"](const char* name) -> std::optional<std::string> {
    if (std::string{name} != "TMPDIR") return std::nullopt;
    return tmp;
  };
}

spool_caps small_caps() {
  spool_caps caps;
  caps.bytes = 10;
  caps.memory_bytes = 6;
  caps.free_bytes = 0;
  return caps;
}

opened_spool open_in(const tests::scratch_directory& scratch,
                     const spool_caps& caps = small_caps()) {
  return open_spool(scratch.path(), no_variables(), caps, begin, [] { return 0x7f3a; });
}

mode_t mode_of(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 0777U : 0;
}

TEST(RunId, HasTheMinuteInUtcAndFourDigits) {
  EXPECT_EQ(spool::run_id(begin, 0x7f3a), "20261121T0312-7f3a");
  EXPECT_EQ(spool::run_id(begin, 0xf), "20261121T0312-000f");
}

TEST(RunId, IsDistinguishedFromOtherNames) {
  EXPECT_TRUE(spool::is_run_id("20261121T0312-7f3a"));
  EXPECT_FALSE(spool::is_run_id("20261121T0312-7F3A"));
  EXPECT_FALSE(spool::is_run_id("20261121T0312-7f3a.2"));
  EXPECT_FALSE(spool::is_run_id(""));
}

TEST(Spool, FilesAreNamedByTheRunAndForTheUserAlone) {
  const tests::scratch_directory scratch;
  const auto opened = open_in(scratch);
  EXPECT_TRUE(opened.remarks.empty());
  EXPECT_EQ(opened.out.id(), "20261121T0312-7f3a");
  EXPECT_EQ(opened.out.path(), scratch / "20261121T0312-7f3a.jsonl");
  EXPECT_EQ(mode_of(scratch / "20261121T0312-7f3a.jsonl"), 0600U);
  EXPECT_EQ(mode_of(scratch / "20261121T0312-7f3a.events"), 0600U);
}

TEST(Spool, RunsOfOneMinuteThatDrawTheSameDigitsGetDifferentNames) {
  const tests::scratch_directory scratch;
  const auto first = open_in(scratch);
  std::uint16_t digits = 0x7f39;
  const auto second =
      open_spool(scratch.path(), no_variables(), small_caps(), begin, [&] { return ++digits; });
  EXPECT_EQ(second.out.id(), "20261121T0312-7f3b");
}

TEST(Spool, FileLeftBesideANameMakesTheNameTaken) {
  const tests::scratch_directory scratch;
  tests::write_file(scratch / "20261121T0312-7f3a.events", "{}\n");
  std::uint16_t digits = 0x7f39;
  const auto opened =
      open_spool(scratch.path(), no_variables(), small_caps(), begin, [&] { return ++digits; });
  EXPECT_EQ(opened.out.id(), "20261121T0312-7f3b");
  EXPECT_FALSE(std::filesystem::exists(scratch / "20261121T0312-7f3a.jsonl"));
}

TEST(Spool, IsLockedWhileAnyoneHoldsItsDescription) {
  const tests::scratch_directory scratch;
  files::descriptor worker;
  {
    auto opened = open_in(scratch);
    worker = files::descriptor{::dup(opened.out.lines_fd())};
  }
  const files::descriptor pruner{::open((scratch / "20261121T0312-7f3a.jsonl").c_str(), O_RDONLY)};
  EXPECT_EQ(::flock(pruner.get(), LOCK_EX | LOCK_NB), -1);
  worker = files::descriptor{};
}

TEST(Spool, HasTheAppendedBytes) {
  const tests::scratch_directory scratch;
  auto opened = open_in(scratch);
  EXPECT_EQ(opened.out.append(std::string_view{"abc"}).bytes, 3U);
  EXPECT_EQ(opened.out.append(std::string_view{"def"}).bytes, 3U);
  EXPECT_EQ(tests::read_file(opened.out.path()), "abcdef");
}

TEST(Spool, AppendsAtTheEndWhereverAWorkerMovedTheOffset) {
  const tests::scratch_directory scratch;
  auto opened = open_in(scratch);
  opened.out.append(std::string_view{"abc"});
  ::lseek(opened.out.lines_fd(), 0, SEEK_SET);
  opened.out.append(std::string_view{"def"});
  EXPECT_EQ(tests::read_file(opened.out.path()), "abcdef");
}

TEST(Spool, StopsAtItsCapWithTheBytesThatFit) {
  const tests::scratch_directory scratch;
  auto opened = open_in(scratch);
  const auto result = opened.out.append(std::string_view{"0123456789abc"});
  EXPECT_EQ(result.bytes, 10U);
  EXPECT_EQ(result.stop, (storing_stop{stop_reason::spool_limit, 0, 10}));
  EXPECT_EQ(tests::read_file(opened.out.path()), "0123456789");
}

TEST(Spool, ExactlyItsCapIsNoStop) {
  const tests::scratch_directory scratch;
  auto opened = open_in(scratch);
  EXPECT_FALSE(opened.out.append(std::string_view{"0123456789"}).stop);
}

TEST(Spool, ANearlyFullDiskIsNotUsed) {
  const tests::scratch_directory scratch;
  auto caps = small_caps();
  caps.free_bytes = std::numeric_limits<std::uint64_t>::max();
  caps.free_percent = 100;
  const auto opened = open_in(scratch, caps);
  EXPECT_EQ(opened.out.path(), "");
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(Spool, DiskThatGetsNearlyFullStopsIt) {
  const tests::scratch_directory scratch;
  auto caps = small_caps();
  caps.bytes = 100;
  const auto opened = open_in(scratch, caps);
  caps.free_bytes = std::numeric_limits<std::uint64_t>::max();
  caps.free_percent = 100;
  spool_writer::opened_files same{"id", "path", files::descriptor{::dup(opened.out.lines_fd())},
                                  files::descriptor{}};
  spool_writer fuller{std::move(same), spool_home::disk, caps};
  const auto result = fuller.append(std::string_view{"abc"});
  EXPECT_EQ(result.bytes, 0U);
  EXPECT_EQ(result.stop, (storing_stop{stop_reason::disk_nearly_full, 0, 0}));
}

TEST(Spool, FileSizeLimitIsAWriteErrorAfterTheBytesThatFit) {
  const tests::scratch_directory scratch;
  auto caps = small_caps();
  caps.bytes = 1000;
  auto opened = open_in(scratch, caps);
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit tight{5, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tight);
  const auto result = opened.out.append(std::string_view{"0123456789"});
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(result.bytes, 5U);
  EXPECT_EQ(result.stop, (storing_stop{stop_reason::write_error, EFBIG, 5}));
}

TEST(Spool, NoPlaceOnDiskIsASentenceAndASpoolInMemory) {
  const tests::scratch_directory scratch;
  auto [spool, remarks] =
      open_spool("", no_place(scratch), small_caps(), begin, [] { return 0x7f3a; });
  EXPECT_EQ(remarks.size(), 1U);
  EXPECT_EQ(spool.path(), "");
  EXPECT_EQ(spool.id(), "20261121T0312-7f3a");
  const auto result = spool.append(std::string_view{"0123456789"});
  EXPECT_EQ(result.stop, (storing_stop{stop_reason::spool_limit, 0, 6}));
  std::array<char, 10> room{};
  EXPECT_EQ(::pread(spool.lines_fd(), room.data(), room.size(), 0), 6);
  EXPECT_STREQ(room.data(), "012345");
  EXPECT_TRUE(write_event(spool.events_fd(), "{\"offset\":0}"));
}

TEST(Spool, StateDirThatCannotBeUsedIsASentenceAndTheNextPlace) {
  const tests::scratch_directory scratch;
  tests::write_file(scratch / "file", "");
  const auto home = [path = scratch.path()](const char* name) -> std::optional<std::string> {
    if (std::string{name} != "HOME") return std::nullopt;
    return path;
  };
  const auto opened =
      open_spool(scratch / "file", home, small_caps(), begin, [] { return 0x7f3a; });
  EXPECT_EQ(opened.remarks.size(), 1U);
  EXPECT_EQ(opened.out.path(), scratch / ".local/state/tofud/20261121T0312-7f3a.jsonl");
}

TEST(Spool, EventsAreLinesOfTheirOwnFile) {
  const tests::scratch_directory scratch;
  const auto opened = open_in(scratch);
  EXPECT_TRUE(write_event(opened.out.events_fd(), R"({"offset":0,"id":"x"})"));
  EXPECT_TRUE(write_event(opened.out.events_fd(), R"({"offset":9,"exit":0})"));
  EXPECT_EQ(tests::read_file(scratch / "20261121T0312-7f3a.events"),
            "{\"offset\":0,\"id\":\"x\"}\n{\"offset\":9,\"exit\":0}\n");
}

}  // namespace
}  // namespace tofud::keeper
