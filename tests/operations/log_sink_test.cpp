#include "daemon/operations/log_sink.hpp"

#include "daemon/operations/limits.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tofud::operations {
namespace {

using namespace std::chrono_literals;

bool has(const std::string& text, std::string_view piece) {
  return text.find(piece) != std::string::npos;
}

constexpr log_event noisy{"noisy", "1"}, quiet{"quiet", "2"};

class LogSink : public testing::Test {
 protected:
  LogSink() : before_{spdlog::default_logger()} {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink_));
  }
  ~LogSink() override { spdlog::set_default_logger(before_); }

  bool works_ = true;
  log_sink::clock::time_point now_{1h};
  std::vector<std::string> written_;
  std::shared_ptr<log_sink> sink_ = std::make_shared<log_sink>(
      [this](const log_line& line) {
        if (works_) written_.push_back(as_json(line));
        return works_;
      },
      [](std::string_view text) {
        std::string out{text};
        if (const auto at = out.find("hunter2"); at != std::string::npos) out.replace(at, 7, "X");
        return out;
      },
      [this] { return now_; });
  std::shared_ptr<spdlog::logger> before_;
};

TEST_F(LogSink, ALineHasItsRunAndConnection) {
  log_error(noisy, {"r1", "uid 7"}, "{} happened", "it");
  spdlog::warn("plain {}", 1);
  ASSERT_EQ(written_.size(), 2U);
  EXPECT_TRUE(has(written_[0],
                  "\"event\":\"noisy\",\"message\":\"it happened\",\"run\":\"r1\","
                  "\"peer\":\"uid 7\"}"))
      << written_[0];
  EXPECT_TRUE(has(written_[1], "\"event\":\"other\",\"message\":\"plain 1\"}")) << written_[1];
}

TEST_F(LogSink, ARedactorReplacesWhatItNames) {
  spdlog::warn("hunter2 and swordfish");
  sink_->redact_with([](std::string_view) { return std::string{"nothing"}; });
  spdlog::warn("hunter2 and swordfish");
  ASSERT_EQ(written_.size(), 2U);
  EXPECT_TRUE(has(written_[0], "X and swordfish")) << written_[0];
  EXPECT_TRUE(has(written_[1], "\"message\":\"nothing\"")) << written_[1];
}

TEST_F(LogSink, AKindIsLimitedAndTheLeftOutLinesAreCounted) {
  for (std::uint64_t i = 0; i < limits::log_lines + 5; ++i) log_warning(noisy, {}, "n");
  log_warning(quiet, {}, "q");
  EXPECT_EQ(written_.size(), limits::log_lines + 1);
  EXPECT_EQ(sink_->left_out(), 5U);
  now_ += limits::log_window;
  log_warning(noisy, {}, "again");
  EXPECT_TRUE(has(written_.back(), "\"message\":\"again\",\"left_out\":5")) << written_.back();
  log_warning(noisy, {}, "and again");
  EXPECT_FALSE(has(written_.back(), "left_out")) << written_.back();
}

TEST_F(LogSink, TheCountOfAKindThatStoppedIsWritten) {
  for (std::uint64_t i = 0; i < limits::log_lines; ++i) log_info(noisy, {}, "n");
  log_error(noisy, {}, "the worst");
  sink_->tell_left_out();
  EXPECT_EQ(written_.size(), limits::log_lines);
  now_ += limits::log_window;
  sink_->tell_left_out();
  EXPECT_TRUE(has(written_.back(),
                  "\"level\":\"error\",\"event\":\"noisy\",\"message\":\"1 lines about noisy "
                  "were left out\""))
      << written_.back();
  sink_->tell_left_out();
  EXPECT_EQ(written_.size(), limits::log_lines + 1);
}

TEST_F(LogSink, LinesThatCannotBeWrittenCountAsLeftOut) {
  works_ = false;
  log_error(noisy, {}, "lost");
  works_ = true;
  log_error(noisy, {}, "heard");
  ASSERT_EQ(written_.size(), 1U);
  EXPECT_TRUE(has(written_[0], "\"message\":\"heard\",\"left_out\":1")) << written_[0];
}

TEST_F(LogSink, NothingIsWrittenThatIsToBeRedacted) {
  log_error(noisy, {"run-hunter2", "peer hunter2"}, "password {}", "hunter2");
  ASSERT_EQ(written_.size(), 1U);
  EXPECT_FALSE(has(written_[0], "hunter2")) << written_[0];
}

TEST_F(LogSink, ALongTextIsCut) {
  log_error(noisy, {}, "{}", std::string(3 * limits::log_line_bytes, 'x'));
  EXPECT_LT(written_.back().size(), limits::log_line_bytes + 200);
}

}  // namespace
}  // namespace tofud::operations
