#include "daemon/keeper/intake.hpp"

#include "daemon/keeper/limits.hpp"
#include "tests/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace tofud::keeper {
namespace {

std::string letters(std::size_t bytes) {
  std::string text;
  for (std::size_t n = 0; n < bytes; ++n) text += static_cast<char>('a' + n % 23);
  return text;
}

/// An intake that reads a pipe or file; its two halves are run by the test, one after the other.
class IntakeTest : public testing::Test {
 protected:
  IntakeTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    read_end_ = files::descriptor{ends[0]};
    write_end_ = files::descriptor{ends[1]};
  }

  void say(const std::string& text) {
    ASSERT_EQ(::write(write_end_.get(), text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  void say_no_more() { write_end_ = files::descriptor{}; }

  spool_writer open(std::uint64_t cap = 1'000'000) {
    spool_caps caps;
    caps.bytes = cap;
    caps.free_bytes = 0;
    return open_spool(
               scratch_.path(), [](const char*) { return std::optional<std::string>{}; }, caps,
               std::chrono::system_clock::now(), [] { return 0x7f3a; })
        .out;
  }

  std::optional<storing_stop> stop() const { return unpacked(page_->stop); }

  tests::scratch_directory scratch_;
  files::descriptor read_end_;
  files::descriptor write_end_;
  shared_page page_ = shared_page::create();
  wakeup worker_;
  wakeup keeper_;
};

TEST_F(IntakeTest, StreamGoesToTheSpoolByteForByte) {
  byte_ring ring{1000};
  intake in{read_end_.get(), input_kind::live, ring, *page_, worker_, keeper_};
  auto out = open();
  say("line one\nline two\n");
  say_no_more();
  in.drain();
  EXPECT_EQ(page_->eof, 0U);  // not yet all written
  in.store(out);
  EXPECT_EQ(page_->eof, 1U);
  EXPECT_EQ(page_->drained, 18U);
  EXPECT_EQ(page_->stored, 18U);
  EXPECT_EQ(stop(), std::nullopt);
  EXPECT_EQ(tests::read_file(out.path()), "line one\nline two\n");
}

TEST_F(IntakeTest, FullRingStopsStoringButNotDrainingAndWhatItTookIsWritten) {
  byte_ring ring{100};
  intake in{read_end_.get(), input_kind::live, ring, *page_, worker_, keeper_};
  auto out = open();
  const auto text = letters(5000);
  say(text);
  say_no_more();
  in.drain();  // nobody stores meanwhile
  in.store(out);
  EXPECT_EQ(stop(), (storing_stop{stop_reason::ring_full, 0, 100}));
  EXPECT_EQ(page_->drained, 5000U);
  EXPECT_EQ(page_->stored, 100U);
  EXPECT_EQ(tests::read_file(out.path()), text.substr(0, 100));
  const auto tail = read_tail(*page_);
  EXPECT_EQ(tail.first, 100U);
  EXPECT_EQ(tail.bytes, text.substr(100));
}

TEST_F(IntakeTest, AnErrorInWritingAFullRingIsTheLastError) {
  byte_ring ring{100};
  intake in{read_end_.get(), input_kind::live, ring, *page_, worker_, keeper_};
  auto out = open(40);
  say(letters(5000));
  say_no_more();
  in.drain();
  in.store(out);
  EXPECT_EQ(stop(), (storing_stop{stop_reason::spool_limit, 0, 40}));
  EXPECT_EQ(page_->stored, 40U);
  EXPECT_EQ(read_tail(*page_).first, 40U);
}

TEST_F(IntakeTest, NothingIsStoredBehindAStop) {
  byte_ring ring{1000};
  intake in{read_end_.get(), input_kind::live, ring, *page_, worker_, keeper_};
  auto out = open(40);
  std::thread storing{[&] { in.store(out); }};
  std::thread draining{[&] { in.drain(); }};
  const auto text = letters(60'000);
  for (int i = 0; i < 20; ++i) say(text);
  say_no_more();
  draining.join();
  storing.join();
  EXPECT_EQ(page_->drained, 20 * text.size());
  EXPECT_EQ(page_->stored, 40U);
  EXPECT_EQ(tests::read_file(out.path()), text.substr(0, 40));
  EXPECT_EQ(read_tail(*page_).bytes.size(), limits::tail_bytes);
}

TEST_F(IntakeTest, FileWaitsForTheDisk) {
  const auto text = letters(100'000);
  tests::write_file(scratch_ / "recorded", text);
  const files::descriptor file{::open((scratch_ / "recorded").c_str(), O_RDONLY | O_CLOEXEC)};
  byte_ring ring{100};
  intake in{file.get(), input_kind::file, ring, *page_, worker_, keeper_};
  auto out = open();
  std::thread storing{[&] { in.store(out); }};
  in.drain();
  storing.join();
  EXPECT_EQ(stop(), std::nullopt);
  EXPECT_TRUE(tests::read_file(out.path()) == text);
}

TEST_F(IntakeTest, NonBlockingInputIsWaitedFor) {
  ::fcntl(read_end_.get(), F_SETFL, O_NONBLOCK);
  byte_ring ring{100};
  intake in{read_end_.get(), input_kind::live, ring, *page_, worker_, keeper_};
  auto out = open();
  std::thread draining{[&] { in.drain(); }};
  say("late");
  say_no_more();
  draining.join();
  in.store(out);
  EXPECT_EQ(tests::read_file(out.path()), "late");
}

TEST_F(IntakeTest, InputThatCannotBeReadIsAnEnd) {
  byte_ring ring{100};
  intake in{-1, input_kind::live, ring, *page_, worker_, keeper_};
  auto out = open();
  in.drain();
  in.store(out);
  EXPECT_EQ(page_->eof, 1U);
}

TEST_F(IntakeTest, StreamIsStoredWithoutThreads) {
  byte_ring ring{100};
  intake in{read_end_.get(), input_kind::live, ring, *page_, worker_, keeper_};
  auto out = open(40);
  const auto text = letters(5000);
  say(text);
  say_no_more();
  in.drain_and_store(out);
  EXPECT_EQ(page_->eof, 1U);
  EXPECT_EQ(page_->drained, 5000U);
  EXPECT_EQ(tests::read_file(out.path()), text.substr(0, 40));
  EXPECT_EQ(stop(), (storing_stop{stop_reason::spool_limit, 0, 40}));
}

}  // namespace
}  // namespace tofud::keeper
