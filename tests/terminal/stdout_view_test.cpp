// What is printed of a stream, with the time passed in, on a pipe and on a pseudo-terminal.
#include "daemon/terminal/stdout_view.hpp"

#include "daemon/pipeline/engine.hpp"
#include "protocol/diagnostics/erasure.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fcntl.h>
#include <pty.h>
#include <thread>
#include <unistd.h>

namespace tofud {
namespace {

using namespace std::chrono_literals;
using terminal::progress_mode;

constexpr std::string_view version_line =
    R"({"@level":"info","@message":"x","@module":"tofu.ui","@timestamp":"2026-11-21T03:00:00Z",)"
    R"("tofu":"1.12.6","type":"version","ui":"1.2"})"
    "\n";

// A hook of resource t.n[number], in a second of the stream.
std::string hook(std::string_view type, int number, int second) {
  std::array<char, 512> line{};
  const int size = std::snprintf(
      line.data(), line.size(),
      R"({"@level":"info","@message":"x","@module":"tofu.ui","@timestamp":"2026-11-21T03:%02d:%02dZ",)"
      R"("hook":{"resource":{"addr":"t.n[%d]","module":"","resource":"t.n","implied_provider":"t",)"
      R"("resource_type":"t","resource_name":"n","resource_key":%d},"action":"create"},"type":"%s"})"
      "\n",
      second / 60, second % 60, number, number, std::string{type}.c_str());
  return {line.data(), static_cast<std::size_t>(size)};
}

class StdoutView : public testing::Test {
 protected:
  ~StdoutView() override {
    for (const int fd : {reader_, writer_}) {
      if (fd >= 0) ::close(fd);
    }
  }

  void on_pipe() {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    reader_ = ends[0], writer_ = ends[1];
  }
  void on_terminal() {
    winsize size{24, 80, 0, 0};
    ASSERT_EQ(::openpty(&reader_, &writer_, nullptr, nullptr, &size), 0);
  }
  void start(progress_mode mode, std::uint64_t printed_before = 0) {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    ::fcntl(reader_, F_SETFL, O_NONBLOCK);
    terminal::stdout_options options;
    options.mode = mode;
    options.printed_before = printed_before;
    options.printed = [this](std::uint64_t lines) { printed = lines; };
    options.env = [](const char* name) {
      return std::string_view{name} == "LANG" ? "C.UTF-8" : nullptr;
    };
    options.fd = writer_;
    view = std::make_unique<terminal::stdout_view>(std::move(options));
    correlator::run_identity identity;
    identity.id = "run";
    stream = std::make_unique<pipeline::engine>(std::move(identity));
    stream->tell(*view);
    view->begin("tofud", "");
  }
  void feed(std::string_view bytes) {
    view->heard(now);
    stream->feed(bytes);
  }
  void tick() {
    view->tick(now);
    take();
  }
  // The writer's thread is waited for, so that no frame is dropped.
  void take() {
    std::array<char, 65536> piece{};
    bool drained = false;
    while (!drained) {
      drained = view->drained();
      for (ssize_t n = 0; (n = ::read(reader_, piece.data(), piece.size())) > 0;) {
        out.append(piece.data(), static_cast<std::size_t>(n));
      }
      std::this_thread::yield();
    }
  }
  void end() {
    stream->end();
    view->finish();
    take();
  }
  std::size_t count(std::string_view text) const {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = out.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  }

  terminal::stdout_view::clock::time_point now{1000s};
  std::unique_ptr<terminal::stdout_view> view;
  std::unique_ptr<pipeline::engine> stream;
  std::string out;
  std::uint64_t printed = 0;

 private:
  int reader_ = -1, writer_ = -1;
};

constexpr std::string_view frame = "\x1b[?2026h";

TEST_F(StdoutView, DrawsAtMostTenFramesASecondHoweverMuchChanges) {
  on_terminal();
  start(progress_mode::tty);
  feed(version_line);
  for (int i = 0; i < 1000; ++i) {
    feed(hook("apply_start", i, 1));
    now += 1ms;
    tick();
  }
  EXPECT_EQ(count(frame), 10U);
  end();
}

TEST_F(StdoutView, DrawsWithoutAChangeOnceASecond) {
  on_terminal();
  start(progress_mode::tty);
  feed(version_line);
  feed(hook("apply_start", 0, 1));
  tick();
  EXPECT_EQ(count(frame), 1U);
  for (int i = 0; i < 50; ++i) {
    now += 100ms;
    tick();
  }
  EXPECT_EQ(count(frame), 6U);
  EXPECT_EQ(count("   5.0s "), 1U);
  end();
}

TEST_F(StdoutView, BlockIsGoneWhenTheStreamIsOver) {
  on_terminal();
  start(progress_mode::tty);
  feed(version_line);
  feed(hook("apply_start", 0, 1));
  tick();
  out.clear();
  end();
  EXPECT_TRUE(out.starts_with(diagnostics::erase_from_here));
  EXPECT_EQ(count("1 running"), 0U);
  EXPECT_EQ(count("\x1b]9;4;0\x1b\\"), 1U);
  now += 2s;
  out.clear();
  tick();
  EXPECT_EQ(out, "");
}

TEST_F(StdoutView, LineAfterTheEndIsWrittenWithoutAFrame) {
  on_terminal();
  start(progress_mode::tty);
  feed(version_line);
  end();
  out.clear();
  view->say("one more");
  take();
  EXPECT_EQ(out, "one more\r\n");
}

TEST_F(StdoutView, ALogShowsEveryTenSecondsHowFarThePlanIs) {
  on_pipe();
  start(progress_mode::plain);
  feed(version_line);
  for (int second = 1; second <= 35; ++second) {
    for (int i = 0; i < 60 && second <= 25; ++i) {
      feed(hook("refresh_start", second * 60 + i, second) +
           hook("refresh_complete", second * 60 + i, second));
    }
    now += 1s;
    tick();
  }
  EXPECT_EQ(out,
            "tofud\n03:00:11 refreshed 600 so far\n03:00:21 refreshed 1200 so far\n"
            "03:00:31 refreshed 1500 so far\n");
  end();
}

TEST_F(StdoutView, ALogShowsWhatStillRunsWhenNothingElseIsPrinted) {
  on_pipe();
  start(progress_mode::plain);
  feed(version_line);
  feed(hook("apply_start", 7, 1));
  for (int i = 0; i < 65; ++i) {
    now += 1s;
    tick();
  }
  EXPECT_EQ(out,
            "tofud\n03:00:01 + t.n[7]: creating\n"
            "03:00:31 still running 1: t.n[7] creating 30s\n"
            "03:01:01 still running 1: t.n[7] creating 1m00s\n");
  end();
}

TEST_F(StdoutView, LinesOfAnEarlierProcessAreNotPrintedAgain) {
  on_pipe();
  start(progress_mode::plain, 2);
  feed(version_line);
  feed(hook("apply_start", 0, 1) + hook("apply_complete", 0, 2));
  end();
  EXPECT_TRUE(out.starts_with("03:00:02 + t.n[0]: created")) << out;
  EXPECT_EQ(printed, 2 + std::count(out.begin(), out.end(), '\n'));
}

TEST_F(StdoutView, AroundPrintsTheFirstLineAndTheSummary) {
  on_pipe();
  start(progress_mode::around);
  feed(version_line);
  feed(hook("apply_start", 0, 1));
  now += 100s;
  tick();
  EXPECT_EQ(out, "tofud\n");
  end();
  EXPECT_TRUE(out.starts_with("tofud\napply lost: 1 interrupted\nnever finished:\n")) << out;
}

TEST_F(StdoutView, NoneAndJsonPrintNothingHere) {
  for (const auto mode : {progress_mode::none, progress_mode::json}) {
    on_pipe();
    start(mode);
    EXPECT_FALSE(view->prints());
    feed(version_line);
    feed(hook("apply_start", 0, 1));
    now += 100s;
    tick();
    end();
    EXPECT_EQ(out, "");
  }
}

TEST_F(StdoutView, TheSecondRunOfAStreamIsShownFromItsBeginning) {
  on_pipe();
  start(progress_mode::plain);
  for (int run = 0; run < 2; ++run) {
    feed(version_line);
    feed(hook("apply_start", 0, 1) + hook("apply_complete", 0, 2));
  }
  end();
  EXPECT_EQ(count("+ t.n[0]: creating\n"), 2U);
  EXPECT_EQ(count("+ t.n[0]: created"), 2U);
}

}  // namespace
}  // namespace tofud
