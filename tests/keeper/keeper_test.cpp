#include "daemon/keeper/keeper.hpp"

#include "daemon/keeper/limits.hpp"
#include "protocol/text/sizes.hpp"
#include "tests/keeper/fnv.hpp"
#include "tests/keeper/kept_pipe.hpp"
#include "tests/keeper/producer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <pty.h>
#include <random>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace tofud::keeper {
namespace {

constexpr int failed = 1;
/// Long enough for a healthy worker of a busy machine to show a sign of life.
constexpr long short_stall_ms = 2'000;
constexpr int told = 7;  // what a stub worker makes of every stream

bool one_sentence(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1;
}

TEST(Keeper, StreamIsInTheSpoolAndTheStatusIsTheWorkers) {
  kept_pipe kept{{}};
  const auto lines = stream_lines(0, 1000);
  kept.write(lines);
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_TRUE(kept.spooled() == lines);
  EXPECT_EQ(kept.report(), whole_report(lines));
  EXPECT_EQ(kept.workers().size(), 1U);
  EXPECT_EQ(kept.said(), "");
}

TEST(Keeper, EmptyStreamHasAStatusToo) {
  kept_pipe kept{{}};
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.report(), whole_report(""));
}

TEST(Keeper, GarbageIsStoredByteForByte) {
  kept_pipe kept{{}};
  std::mt19937 random{1};
  std::string garbage(3'000'000, '\0');
  for (char& c : garbage) c = static_cast<char>(random());
  kept.write(garbage);
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_TRUE(kept.spooled() == garbage);
  EXPECT_EQ(kept.report(), whole_report(garbage));
}

TEST(Keeper, FileAndDevNullAreStreamsToo) {
  const tests::scratch_directory scratch;
  const auto lines = stream_lines(0, 20'000);
  tests::write_file(scratch / "recorded", lines);
  const files::descriptor file{::open((scratch / "recorded").c_str(), O_RDONLY | O_CLOEXEC)};
  keeper_setup setup;
  setup.input = file.get();
  kept_pipe from_file{setup};
  EXPECT_EQ(from_file.wait(), told);
  EXPECT_TRUE(from_file.spooled() == lines);

  const files::descriptor null{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
  setup.input = null.get();
  kept_pipe from_null{setup};
  EXPECT_EQ(from_null.wait(), told);
  EXPECT_EQ(from_null.spooled(), "");
}

TEST(Keeper, ClosedStdinIsAnEmptyStream) {
  keeper_setup setup;
  setup.in_child = [] { ::close(STDIN_FILENO); };
  kept_pipe kept{setup};
  EXPECT_EQ(kept.wait(), told);
}

TEST(Keeper, NonBlockingStdinLosesNothing) {
  keeper_setup setup;
  setup.in_child = [] { ::fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK); };
  kept_pipe kept{setup};
  kept.write(stream_lines(0, 10));
  ASSERT_TRUE(eventually([&] { return kept.spooled() == stream_lines(0, 10); }));
  kept.write(stream_lines(10, 20));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_TRUE(kept.spooled() == stream_lines(0, 20));
}

TEST(Keeper, StreamIsStoredWithoutMemoryForThreads) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more address space than this";
#endif
  keeper_setup setup;
  setup.in_child = [] {
    constexpr rlim_t little = 16 * limits::mib;  // two stacks of a thread
    const rlimit address_space{little, little};
    ::setrlimit(RLIMIT_AS, &address_space);
  };
  kept_pipe kept{setup};
  kept.write(stream_lines(0, 10'000));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_TRUE(kept.spooled() == stream_lines(0, 10'000));
}

TEST(Keeper, IgnoredChildSignalOfTheParentDoesNotHideDeaths) {
  keeper_setup setup{"crash-twice"};
  setup.in_child = [] { std::signal(SIGCHLD, SIG_IGN); };
  kept_pipe kept{setup};
  ASSERT_TRUE(eventually([&] { return kept.workers().size() == 3; }));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
}

TEST(Keeper, DeadWorkerIsStartedAgainAndFoldsFromTheFirstByte) {
  kept_pipe kept{{"crash-twice"}};
  kept.write(stream_lines(0, 100));
  ASSERT_TRUE(eventually([&] { return kept.workers().size() == 3; }));
  kept.write(stream_lines(100, 200));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.report(), whole_report(stream_lines(0, 200)));  // on the port of the first
  EXPECT_EQ(kept.said(), "");
}

TEST(Keeper, WorkerThatKeepsDyingIsGivenUpAndOneMoreFindsTheStatus) {
  kept_pipe kept{{"crash"}};
  kept.write(stream_lines(0, 100));
  ASSERT_TRUE(eventually([&] { return !kept.said().empty(); }));
  EXPECT_EQ(kept.workers().size(), 4U);
  kept.write(stream_lines(100, 200));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.workers().size(), 5U);
  EXPECT_EQ(kept.report(), whole_report(stream_lines(0, 200)));
  EXPECT_TRUE(one_sentence(kept.said()));
}

TEST(Keeper, WorkerThatLeavesWithZeroBeforeTheEndIsDead) {
  kept_pipe kept{{"exit-0"}};
  ASSERT_TRUE(eventually([&] { return !kept.said().empty(); }));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.workers().size(), 5U);
}

TEST(Keeper, WorkerThatNeverWorksIsAFailureOfTofudOnly) {
  kept_pipe kept{{"always-crash"}};
  kept.write(stream_lines(0, 100));
  kept.close();
  EXPECT_EQ(kept.wait(), failed);
  EXPECT_TRUE(kept.spooled() == stream_lines(0, 100));
}

TEST(Keeper, ProgramThatCannotBeStartedIsAFailureOfTofudOnly) {
  keeper_setup setup;
  setup.worker = "/nonexistent/tofud";
  kept_pipe kept{setup};
  kept.write(stream_lines(0, 100));
  ASSERT_TRUE(eventually([&] { return !kept.said().empty(); }));
  kept.write(stream_lines(100, 200));
  kept.close();
  EXPECT_EQ(kept.wait(), failed);
  EXPECT_TRUE(kept.spooled() == stream_lines(0, 200));
}

TEST(Keeper, AStoppedWorkerDelaysNothingAndIsContinuedAtTheEnd) {
  producer tofu{8'000};
  kept_pipe kept{{"stop"}};
  ASSERT_TRUE(eventually([&] { return kept.worker_stands_still(); }));
  tofu.start(kept);
  EXPECT_EQ(tofu.wait(), producer::own_status);  // the worker is only continued after that
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.report(), whole_report(stream_lines(0, 8'000)));
  EXPECT_EQ(kept.workers().size(), 1U);
  RecordProperty("full_pipe_seen", tofu.full_pipe_seen());
}

TEST(Keeper, AHangingWorkerDelaysNothingAndIsReplacedAtTheEnd) {
  producer tofu{8'000};
  kept_pipe kept{{"hang", told, short_stall_ms}};
  tofu.start(kept);
  EXPECT_EQ(tofu.wait(), producer::own_status);
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.workers().size(), 2U);
  EXPECT_EQ(kept.report(), whole_report(stream_lines(0, 8'000)));
}

TEST(Keeper, WorkerWhoseLoopStandsStillAfterTheFoldIsReplaced) {
  kept_pipe kept{{"hang-at-end", told, short_stall_ms}};
  kept.write(stream_lines(0, 100));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.workers().size(), 2U);
}

TEST(Keeper, WorkerThatHangsEvenHeadlessIsAFailureOfTofudOnly) {
  kept_pipe kept{{"always-hang", told, short_stall_ms}};
  kept.write(stream_lines(0, 100));
  kept.close();
  EXPECT_EQ(kept.wait(), failed);
  EXPECT_EQ(kept.workers().size(), 2U);
}

TEST(Keeper, KnownResultIsTakenFromAWorkerThatHangsOrDiesAfterwards) {
  for (const auto* behaviour : {"hang-after-result", "crash-after-result"}) {
    kept_pipe kept{{behaviour, told, short_stall_ms}};
    kept.write(stream_lines(0, 100));
    kept.close();
    EXPECT_EQ(kept.wait(), told) << behaviour;
    EXPECT_EQ(kept.workers().size(), 1U) << behaviour;
  }
}

class KeeperKills : public testing::TestWithParam<int> {};

TEST_P(KeeperKills, WorkerKilledAtAnyMomentCostsTofuNothing) {
  std::mt19937 random{static_cast<unsigned>(GetParam())};
  producer tofu{20'000};
  kept_pipe kept{{}};
  tofu.start(kept, producer::last_line::held_back);
  for (int kills = 0; kills < GetParam(); ++kills) {
    const auto started = static_cast<std::size_t>(kills) + 1;
    ASSERT_TRUE(eventually([&] { return kept.workers().size() >= started; }));
    ::usleep(random() % 20'000);
    ::kill(kept.workers().back(), SIGKILL);
  }
  tofu.release_last_line();
  EXPECT_EQ(tofu.wait(), producer::own_status);
  EXPECT_EQ(kept.wait(), told);
  EXPECT_TRUE(kept.spooled() == stream_lines(0, 20'000));
  EXPECT_EQ(kept.report(), whole_report(stream_lines(0, 20'000)));
}

INSTANTIATE_TEST_SUITE_P(Deaths, KeeperKills, testing::Values(1, 2, 3, 4));

TEST(Keeper, SignalsToTheWholeProcessGroupEndNeitherTofudNorTheStream) {
  producer tofu{2'000};
  kept_pipe kept{{}};
  ASSERT_TRUE(eventually([&] { return kept.workers().size() == 1; }));
  tofu.start(kept, producer::last_line::after_all_signals);
  ASSERT_TRUE(eventually([&] { return tofu.ready_for_signals(); }));
  for (const int number : producer::signals) ::killpg(kept.keeper(), number);
  for (const auto pid : {kept.keeper(), kept.workers().front()}) {
    ::kill(pid, SIGTTOU);  // as a background viewer gets them that touches the terminal
    ::kill(pid, SIGTTIN);
  }
  EXPECT_EQ(tofu.wait(), producer::own_status);
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.workers().size(), 1U);
  EXPECT_EQ(kept.report(), whole_report(stream_lines(0, 2'000)));
}

TEST(Keeper, WorkerNoticesTheDeathOfItsKeeper) {
  kept_pipe kept{{}};
  kept.write(stream_lines(0, 10));
  ASSERT_TRUE(eventually([&] { return kept.workers().size() == 1; }));
  ::kill(kept.keeper(), SIGKILL);
  EXPECT_EQ(kept.wait(), 128 + SIGKILL);
  EXPECT_TRUE(eventually([&] { return kept.orphaned(); }));
}

/// "folded BYTES SUM tail FIRST SUM stop REASON 4001" of a stream that is stored up to an offset.
std::string cut_report(const std::string& bytes, std::size_t stored, stop_reason reason) {
  const auto end = bytes.size() - std::min(bytes.size(), limits::tail_bytes);
  const auto first = std::max(stored, end);
  return "folded " + std::to_string(stored) + " " + std::to_string(fnv(bytes.substr(0, stored))) +
         " tail " + std::to_string(first) + " " + std::to_string(fnv(bytes.substr(first))) +
         " stop " + std::to_string(static_cast<int>(reason)) + " 4001";
}

TEST(Keeper, StreamBeyondTheCapIsDrainedAndItsEndKept) {
  keeper_setup setup;
  setup.cap = 1'000'000;
  producer tofu{10'000};
  kept_pipe kept{setup};
  tofu.start(kept);
  EXPECT_EQ(tofu.wait(), producer::own_status);
  EXPECT_EQ(kept.wait(), told);
  const auto lines = stream_lines(0, 10'000);
  EXPECT_TRUE(kept.spooled() == lines.substr(0, 1'000'000));
  EXPECT_EQ(kept.report(), cut_report(lines, 1'000'000, stop_reason::spool_limit));
  EXPECT_TRUE(one_sentence(kept.said()));
}

TEST(Keeper, WithoutADiskTheStreamStaysInMemory) {
  keeper_setup setup;
  setup.memory = true;
  kept_pipe kept{setup};
  kept.write(stream_lines(0, 1000));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.report(), whole_report(stream_lines(0, 1000)));
  EXPECT_TRUE(one_sentence(kept.said()));
}

bool may_mount() {
  const auto child = ::fork();
  if (child == 0) {
    const bool may = ::unshare(CLONE_NEWNS) == 0 &&
                     ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    ::_exit(may ? 0 : 1);
  }
  int status = 1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

TEST(Keeper, FullDiskStopsStoringAndNothingElse) {
  if (!may_mount()) GTEST_SKIP() << "a small disk needs the right to mount one";
  const tests::scratch_directory disk;
  keeper_setup setup;
  setup.in_child = [&disk] {
    ::unshare(CLONE_NEWNS);
    ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    ::mount("small", disk.path().c_str(), "tmpfs", 0, "size=1m");
  };
  setup.place = disk.path();
  producer tofu{20'000};
  kept_pipe kept{setup};
  tofu.start(kept);
  EXPECT_EQ(tofu.wait(), producer::own_status);
  EXPECT_EQ(kept.wait(), told);
  const auto lines = stream_lines(0, 20'000);
  const auto report = kept.report();
  ASSERT_TRUE(report.starts_with("folded "));
  const auto stored = std::stoull(report.substr(7));
  EXPECT_GT(stored, 0U);
  EXPECT_LE(stored, 1024U * 1024U);
  EXPECT_EQ(report, cut_report(lines, stored, stop_reason::write_error));
  EXPECT_TRUE(one_sentence(kept.said()));
}

TEST(Keeper, AReadOnlyDiskIsNotUsed) {
  if (!may_mount()) GTEST_SKIP() << "a read-only disk needs the right to mount one";
  const tests::scratch_directory disk;
  keeper_setup setup;
  setup.in_child = [&disk] {
    ::unshare(CLONE_NEWNS);
    ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    ::mount("small", disk.path().c_str(), "tmpfs", MS_RDONLY, "size=1m");
  };
  setup.place = disk.path();
  kept_pipe kept{setup};
  kept.write(stream_lines(0, 1000));
  kept.close();
  EXPECT_EQ(kept.wait(), told);
  EXPECT_EQ(kept.report(), whole_report(stream_lines(0, 1000)));
  EXPECT_TRUE(one_sentence(kept.said()));
}

TEST(Keeper, TerminalIsPutRightAfterAWorkerDied) {
  int master = -1;
  int slave = -1;
  ASSERT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  const files::descriptor terminal{master};
  const files::descriptor far_end{slave};
  keeper_setup setup{"soil-terminal"};
  setup.stdout_fd = slave;
  kept_pipe kept{setup};
  ASSERT_TRUE(eventually([&] { return !kept.said().empty(); }));  // given up
  termios now{};
  ASSERT_EQ(::tcgetattr(slave, &now), 0);
  EXPECT_NE(now.c_lflag & ECHO, 0U);
  EXPECT_NE(now.c_lflag & ICANON, 0U);
  std::string seen(1000, '\0');
  const auto n = ::read(master, seen.data(), seen.size());
  ASSERT_GT(n, 0);
  EXPECT_NE(seen.find("\x1b[0m\x1b[?25h"), std::string::npos);
  kept.close();
  EXPECT_EQ(kept.wait(), told);
}

TEST(Keeper, AStuckStderrDoesNotDelayTheStream) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const files::descriptor unread{ends[0]};
  const files::descriptor full{ends[1]};
  ::fcntl(full.get(), F_SETFL, O_NONBLOCK);
  while (::write(full.get(), "x", 1) == 1) {
  }
  ::fcntl(full.get(), F_SETFL, 0);
  keeper_setup setup{"crash"};
  setup.cap = 1'000'000;
  setup.in_child = [&full] { ::dup2(full.get(), STDERR_FILENO); };
  producer tofu{10'000};
  kept_pipe kept{setup};
  tofu.start(kept);
  EXPECT_EQ(tofu.wait(), producer::own_status);
  EXPECT_EQ(kept.wait(), told);
}

}  // namespace
}  // namespace tofud::keeper
