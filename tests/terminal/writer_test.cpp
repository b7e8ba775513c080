#include "daemon/terminal/writer.hpp"

#include "daemon/files/write_all.hpp"
#include "daemon/terminal/limits.hpp"
#include "protocol/diagnostics/erasure.hpp"
#include "protocol/text/sizes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <future>
#include <thread>
#include <unistd.h>
#include <vector>

namespace tofud::terminal {
namespace {

const std::string erased{diagnostics::erase_from_here};

// A pipe whose ends close with it.
class pipe_ends {
 public:
  pipe_ends() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error{errno, std::generic_category(), "pipe2"};
  }
  ~pipe_ends() { close_reader(), close_writer(); }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_reader() { shut(ends_[0]); }
  void close_writer() { shut(ends_[1]); }
  /// Everything up to the end of the stream; blocks until the writer's end is closed.
  std::string read_all() const {
    std::string all;
    std::array<char, 65536> piece{};
    for (ssize_t count = 0; (count = ::read(ends_[0], piece.data(), piece.size())) > 0;) {
      all.append(piece.data(), static_cast<std::size_t>(count));
    }
    return all;
  }

 private:
  static void shut(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

// What tofud does at its start: a pipe without a reader is an error, no signal.
class LineWriter : public testing::Test {
 protected:
  LineWriter() : former_{std::signal(SIGPIPE, SIG_IGN)} {}
  ~LineWriter() override { std::signal(SIGPIPE, former_); }

 private:
  void (*former_)(int);
};

TEST_F(LineWriter, WritesLinesInOrderWithTheirNewlines) {
  pipe_ends pipe;
  {
    line_writer writer{pipe.writer(), {}};
    writer.write("a");
    writer.write("");
    writer.write("grün");
    writer.finish();
    EXPECT_TRUE(writer.drained());
  }
  pipe.close_writer();
  EXPECT_EQ(pipe.read_all(), "a\n\ngrün\n");
}

TEST_F(LineWriter, EndOfItsScopeFinishesIt) {
  pipe_ends pipe;
  { line_writer{pipe.writer(), {}}.write("last words"); }
  pipe.close_writer();
  EXPECT_EQ(pipe.read_all(), "last words\n");
}

TEST_F(LineWriter, FinishedTwiceIsFine) {
  pipe_ends pipe;
  line_writer writer{pipe.writer(), {}};
  writer.finish();
  writer.finish();
  EXPECT_TRUE(writer.drained());
}

TEST_F(LineWriter, CountsTheWrittenLines) {
  pipe_ends pipe;
  std::vector<std::uint64_t> told;
  {
    line_writer writer{pipe.writer(), [&](std::uint64_t count) { told.push_back(count); }};
    for (int i = 0; i < 10; ++i) {
      writer.write("counted");
      writer.write("heartbeat", line_writer::counted::no);
    }
  }
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), 10U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
}

TEST_F(LineWriter, ReaderThatNeverReadsDoesNotHoldUpTheCaller) {
  pipe_ends pipe;
  std::uint64_t told = 0;
  constexpr std::uint64_t lines = 200'000;
  line_writer writer{pipe.writer(), [&](std::uint64_t count) { told = count; }};
  const std::string line(99, 'x');  // 20 MB in all: more than the pipe and the queue take
  for (std::uint64_t i = 0; i < lines; ++i) writer.write(line);
  EXPECT_FALSE(writer.drained());
  // Only now somebody reads: what was kept, and how many were left out.
  auto text = std::async(std::launch::async, [&] { return pipe.read_all(); });
  writer.finish();
  pipe.close_writer();
  const std::string all = text.get();
  EXPECT_EQ(told, lines);
  EXPECT_LE(all.size(), limits::terminal_queue_bytes + 2 * limits::mib);
  const auto note = all.find("... ");
  ASSERT_NE(note, std::string::npos);
  EXPECT_EQ(all.substr(note), "... " + std::to_string(lines - note / 100) + " lines left out\n");
}

TEST_F(LineWriter, ALineLongerThanTheQueueIsLeftOutWithANotice) {
  pipe_ends pipe;
  std::uint64_t told = 0;
  {
    line_writer writer{pipe.writer(), [&](std::uint64_t count) { told = count; }};
    writer.write(std::string(limits::terminal_queue_bytes + 1, 'x'));
  }
  pipe.close_writer();
  EXPECT_EQ(pipe.read_all(), "... 1 lines left out\n");
  EXPECT_EQ(told, 1U);
}

TEST_F(LineWriter, AClosedReaderEndsTheWriterSilently) {
  pipe_ends pipe;
  pipe.close_reader();
  std::uint64_t told = 0;
  line_writer writer{pipe.writer(), [&](std::uint64_t count) { told = count; }};
  for (int i = 0; i < 1000; ++i) writer.write("nobody reads this");
  writer.finish();
  EXPECT_TRUE(writer.drained());
  EXPECT_EQ(told, 1000U);
}

TEST_F(LineWriter, ReaderThatLeavesWhileTheWriterWaitsFreesIt) {
  pipe_ends pipe;
  line_writer writer{pipe.writer(), {}};
  for (int i = 0; i < 3; ++i) writer.write(std::string(100'000, 'x'));  // more than the pipe takes
  pipe.close_reader();
  writer.finish();
  EXPECT_TRUE(writer.drained());
}

TEST_F(LineWriter, ANonBlockingDescriptorLosesNothing) {
  pipe_ends pipe;
  ::fcntl(pipe.writer(), F_SETFL, O_NONBLOCK);
  std::string expected;
  line_writer writer{pipe.writer(), {}};
  for (int i = 0; i < 10'000; ++i) {
    writer.write("line " + std::to_string(i));
    expected += "line " + std::to_string(i) + "\n";
  }
  auto text = std::async(std::launch::async, [&] { return pipe.read_all(); });
  writer.finish();
  pipe.close_writer();
  EXPECT_EQ(text.get(), expected);
}

TEST_F(LineWriter, LeavesTheDescriptorBlockingAsItWas) {
  pipe_ends pipe;
  line_writer writer{pipe.writer(), {}};
  writer.write("x");
  writer.finish();
  EXPECT_EQ(::fcntl(pipe.writer(), F_GETFL) & O_NONBLOCK, 0);
}

class BlockWriter : public LineWriter {
 protected:
  pipe_ends pipe;
  std::string all() {
    pipe.close_writer();
    return pipe.read_all();
  }
};

constexpr auto with_block = line_writer::with_block::yes;

TEST_F(BlockWriter, LinesTakeThePlaceOfTheBlockInOneFrame) {
  {
    line_writer writer{pipe.writer(), {}, with_block};
    writer.write("first");
    writer.redraw("bar\r", "");
    while (!writer.drained()) std::this_thread::yield();
    writer.write("second");
    writer.write("third");
    writer.redraw("new bar\r", "");
    while (!writer.drained()) std::this_thread::yield();
    writer.redraw("", "");
  }
  EXPECT_EQ(all(), "\x1b[?2026h" + erased +
                       "first\nbar\r\x1b[?2026l"
                       "\x1b[?2026h" +
                       erased + "second\nthird\nnew bar\r\x1b[?2026l" + erased);
}

TEST_F(BlockWriter, LinesWaitForTheirFrameOrTheEnd) {
  {
    line_writer writer{pipe.writer(), {}, with_block};
    writer.redraw("", "");
    while (!writer.drained()) std::this_thread::yield();
    writer.write("waits");
    EXPECT_FALSE(writer.drained());
  }
  EXPECT_EQ(all(), erased + "waits\n");
}

TEST_F(BlockWriter, OrdersAreWrittenWhenTheyChange) {
  {
    line_writer writer{pipe.writer(), {}, with_block};
    for (const char* orders : {"<1>", "<1>", "<2>"}) {
      writer.redraw("", orders);
      while (!writer.drained()) std::this_thread::yield();
    }
  }
  EXPECT_EQ(all(), erased + "<1><2>");
}

TEST_F(BlockWriter, NothingIsErasedOnceTheTerminalIsGivenBack) {
  {
    line_writer writer{pipe.writer(), {}, with_block};
    writer.redraw("bar\r", "");
    while (!writer.drained()) std::this_thread::yield();
    writer.write("line");
    writer.let_go();
    while (!writer.drained()) std::this_thread::yield();
  }
  EXPECT_EQ(all(), "\x1b[?2026h" + erased + "bar\r\x1b[?2026lline\n");
}

TEST_F(BlockWriter, TerminalThatIsStoppedGetsTheNewestFrameOnly) {
  line_writer writer{pipe.writer(), {}, with_block};
  constexpr int frames = 10'000;
  for (int i = 0; i < frames; ++i) {
    writer.redraw("frame " + std::to_string(i) + std::string(1000, '.') + "\r", "");
  }
  EXPECT_FALSE(writer.drained());  // ten times what a pipe takes
  auto text = std::async(std::launch::async, [&] { return pipe.read_all(); });
  writer.finish();
  pipe.close_writer();
  const std::string all = text.get();
  EXPECT_LT(all.size(), std::size_t{frames} * 1000 / 10);
  EXPECT_GT(all.rfind("frame " + std::to_string(frames - 1)), all.rfind("?2026h"));
}

TEST_F(BlockWriter, CountsLinesOnceTheyAreWritten) {
  std::uint64_t told = 0;
  {
    line_writer writer{pipe.writer(), [&](std::uint64_t count) { told = count; }, with_block};
    for (int i = 0; i < 5; ++i) writer.write("line");
    EXPECT_EQ(told, 0U);
  }
  EXPECT_EQ(told, 5U);
}

TEST(WriteAll, FailsOnADescriptorThatIsNone) {
  EXPECT_FALSE(files::write_all(-1, "x"));
  EXPECT_TRUE(files::write_all(-1, ""));
}

}  // namespace
}  // namespace tofud::terminal
