// A piece of the redacted stream, wherever it is asked for.
#include "daemon/forward/redacted_window.hpp"

#include "daemon/files/limits.hpp"
#include "daemon/forward/limits.hpp"
#include "protocol/text/sizes.hpp"
#include "tests/forward/upper_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace tofud::forward {
namespace {

using progress = redacted_window::progress;

class Window : public testing::Test {
 protected:
  redacted_window over(std::size_t most_bytes) {
    return redacted_window{[this](std::uint64_t offset, std::span<char> room) {
                             const auto left = std::string_view{raw_}.substr(
                                 std::min<std::size_t>(offset, raw_.size()));
                             const auto piece = left.substr(0, std::min(room.size(), pieces_));
                             std::memcpy(room.data(), piece.data(), piece.size());
                             read_ += piece.size();
                             return piece.size();
                           },
                           tests::begin_upper_case, most_bytes};
  }

  std::string raw_;
  std::size_t pieces_ = limits::read_bytes;
  std::size_t read_ = 0;
};

TEST_F(Window, GivesWholeLinesAndTheLastOneOnlyAtTheEnd) {
  raw_ = "one\nlong two\nthr";
  auto window = over(1000);
  EXPECT_EQ(window.advance(false), progress::more);
  EXPECT_EQ(window.advance(false), progress::nothing_new);
  EXPECT_EQ(window.bytes(0, window.to()), "ONE\nREPLACED BY SOMETHING LONGER LONG TWO\n");
  EXPECT_FALSE(window.all());
  raw_ += "ee";
  EXPECT_EQ(window.advance(true), progress::more);
  EXPECT_EQ(window.advance(true), progress::nothing_new);
  EXPECT_TRUE(window.all());
  EXPECT_EQ(window.bytes(0, window.to()), tests::upper_cased(raw_));
}

TEST_F(Window, FindsTheBeginningOfALine) {
  raw_ = "one\nlong two\nthree\nfo";
  auto window = over(1000);
  EXPECT_EQ(window.line_at(0), 0u);
  EXPECT_EQ(window.line_at(1), std::nullopt);
  while (window.advance(true) == progress::more) {
  }
  const std::string redacted = tests::upper_cased(raw_);
  const auto third = redacted.find("THREE");
  EXPECT_EQ(window.line_at(3), 0u);
  EXPECT_EQ(window.line_at(4), 4u);
  EXPECT_EQ(window.line_at(12), 4u);
  EXPECT_EQ(window.line_at(13), third);
  EXPECT_EQ(window.line_at(raw_.size()), redacted.size() - 2);
  EXPECT_EQ(window.line_at(raw_.size() + 1), std::nullopt);
}

TEST_F(Window, ARedactionHasItsLineOfTheSource) {
  while (raw_.size() < 3 * limits::mib) raw_ += "a line\n";
  std::vector<std::uint64_t> begun;
  redacted_window window{[this](std::uint64_t offset, std::span<char> room) {
                           const auto piece = std::string_view{raw_}.substr(
                               std::min<std::size_t>(offset, raw_.size()), room.size());
                           std::memcpy(room.data(), piece.data(), piece.size());
                           return piece.size();
                         },
                         [&begun](std::uint64_t raw) {
                           begun.push_back(raw);
                           return tests::begin_upper_case(raw);
                         }};
  for (std::uint64_t needed = 0; !window.all(); needed = window.to()) {
    window.need(needed);
    window.advance(true);
  }
  window.need(window.to() / 2);
  ASSERT_EQ(begun.size(), 2U);
  EXPECT_EQ(begun[0], 0U);
  ASSERT_GT(begun[1], 0U);
  EXPECT_EQ(raw_[begun[1] - 1], '\n');
}

TEST_F(Window, FindsTheBeginningOfALineFarBehind) {
  while (raw_.size() < 3 * limits::mib) raw_ += raw_.size() % 3 == 0 ? "long line\n" : "line\n";
  auto window = over(limits::upload_window_bytes);
  for (std::uint64_t needed = 0; !window.all(); needed = window.to()) {
    window.need(needed);
    window.advance(true);
  }
  for (const std::size_t near : {std::size_t{7}, raw_.size() / 2, raw_.size() - 3}) {
    const std::size_t line = raw_.rfind('\n', near - 1) + 1;
    EXPECT_EQ(window.line_at(near), tests::upper_cased(raw_.substr(0, line)).size());
  }
}

TEST_F(Window, IsFullUntilBytesAreReleased) {
  for (int i = 0; i < 100; ++i) raw_ += "a line\n";
  pieces_ = 70;
  auto window = over(100);
  EXPECT_EQ(window.advance(true), progress::more);
  EXPECT_EQ(window.advance(true), progress::more);
  EXPECT_EQ(window.advance(true), progress::full);
  EXPECT_EQ(window.to(), 140u);
  window.need(50);
  EXPECT_EQ(window.from(), 50u);
  EXPECT_EQ(window.advance(true), progress::more);
  EXPECT_EQ(window.to(), 210u);
}

TEST_F(Window, ReadsReleasedBytesAgain) {
  raw_ = "one\ntwo\nthree\n";
  auto window = over(1000);
  window.advance(true);
  window.need(8);
  EXPECT_EQ(window.from(), 8u);
  window.need(2);
  while (window.advance(true) == progress::more) {
  }
  EXPECT_EQ(window.from(), 2u);
  EXPECT_TRUE(window.all());
  EXPECT_EQ(window.bytes(2, 12), "E\nTWO\nTHREE\n");
}

TEST_F(Window, GoesBackNoFurtherThanToTheNearestPlaceItRemembers) {
  raw_.assign(5 * limits::upload_place_every, 'x');
  for (std::size_t i = 99; i < raw_.size(); i += 100) raw_[i] = '\n';
  auto window = over(limits::mib);
  const std::uint64_t end = raw_.size();
  for (std::uint64_t at = 0; at < end; at = window.to()) {
    window.need(at);
    window.advance(true);
  }
  read_ = 0;
  window.need(end - 10);
  while (window.advance(true) == progress::more) {
  }
  EXPECT_EQ(window.bytes(end - 10, 10), tests::upper_cased(raw_).substr(end - 10));
  EXPECT_LE(read_, limits::upload_place_every + 2 * limits::read_bytes);
}

TEST_F(Window, SkipsToTheDaemonsOffset) {
  raw_ = "one\ntwo\nthree\n";
  auto window = over(1000);
  window.need(8);
  while (window.advance(true) == progress::more) {
  }
  EXPECT_EQ(window.from(), 8u);
  EXPECT_EQ(window.bytes(8, 6), "THREE\n");
}

TEST_F(Window, HasTheSameBytesWhateverWasReadBefore) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 draw{seed};
    const auto pick = [&draw](std::size_t below) {
      return std::uniform_int_distribution<std::size_t>{0, below}(draw);
    };
    raw_.clear();
    while (raw_.size() < 3000)
      raw_ += (pick(9) == 0 ? "long" : "") + std::string(pick(80), 'b') + "\n";
    raw_.resize(raw_.size() - pick(20));
    pieces_ = 1 + pick(200);
    const std::string whole = tests::upper_cased(raw_);
    auto window = over(1 + pick(500));
    for (int step = 0; step < 200; ++step) {
      if (pick(4) == 0) window.need(pick(whole.size()));
      window.advance(true);
      ASSERT_LE(window.to(), whole.size());
      const std::size_t count = window.to() - window.from();
      ASSERT_EQ(window.bytes(window.from(), count), whole.substr(window.from(), count)) << seed;
      ASSERT_TRUE(!window.all() || window.to() == whole.size());
    }
  }
}

}  // namespace
}  // namespace tofud::forward
