#include "daemon/operations/loop_watch.hpp"

#include "daemon/operations/doing.hpp"
#include "daemon/operations/limits.hpp"

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tofud::operations {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

std::chrono::nanoseconds processor_time() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds{used.tv_sec} + std::chrono::nanoseconds{used.tv_nsec};
}

/// Of the processor, however busy the machine is.
void work_for(std::chrono::nanoseconds time) {
  const auto until = processor_time() + time;
  while (processor_time() < until) {
  }
}

class LoopWatch : public testing::Test {
 protected:
  void turn(std::function<void()> handler) { boost::asio::post(io_, std::move(handler)); }
  void run() {
    io_.restart();
    watch_.run(io_);
  }

  boost::asio::io_context io_{1};
  std::vector<long_turn> told_;
  loop_watch watch_{[this](const long_turn& turn) { told_.push_back(turn); }};
};

TEST_F(LoopWatch, ShortTurnsAreNotReported) {
  for (int i = 0; i < 1000; ++i) turn([] { const doing counting{"counting"}; });
  run();
  EXPECT_TRUE(told_.empty());
}

TEST_F(LoopWatch, ALongTurnIsReportedWithItsName) {
  turn([] {
    const doing answering{"GET", "/v1/runs/latest/plan"};
    const doing drawing{"drawing a plan"};
    work_for(limits::long_turn);
  });
  run();
  ASSERT_EQ(told_.size(), 1);
  EXPECT_EQ(told_.front().with, "GET /v1/runs/latest/plan: drawing a plan");
  EXPECT_GE(told_.front().took, limits::long_turn);
}

TEST_F(LoopWatch, WithoutALongPartTheWholeIsNamed) {
  turn([] {
    const doing answering{"GET", "/"};
    const auto began = steady_clock::now();
    steady_clock::duration longest{};  // a busy machine may stop any of them
    while (steady_clock::now() - began <
           std::max<steady_clock::duration>(limits::long_turn, 3 * longest)) {
      const auto part_began = steady_clock::now();
      {
        const doing part{"a part"};
        work_for(limits::long_turn / 100);
      }
      longest = std::max(longest, steady_clock::now() - part_began);
    }
  });
  run();
  ASSERT_EQ(told_.size(), 1);
  EXPECT_EQ(told_.front().with, "GET /");
}

TEST_F(LoopWatch, AnEarlierPartIsNotNamedAsPartOfALaterOne) {
  turn([] {
    const auto began = steady_clock::now();
    {
      const doing before{"what came before"};
      work_for(limits::long_turn);
    }
    const auto next_began = steady_clock::now();
    const doing longer{"what took longer"};
    // Named by the clock, and a busy machine may stretch the first of them.
    while (steady_clock::now() - next_began < (next_began - began) * 3 / 2) {
    }
  });
  run();
  ASSERT_EQ(told_.size(), 1);
  EXPECT_EQ(told_.front().with, "what took longer");
}

TEST_F(LoopWatch, WorkBeforeTheLoopIsNoTurn) {
  {
    const doing before{"no turn"};
    work_for(limits::long_turn);
  }
  turn([] {});
  run();
  EXPECT_TRUE(told_.empty());
}

TEST_F(LoopWatch, AnUnnamedLongTurnIsReported) {
  turn([] { work_for(limits::long_turn); });
  run();
  ASSERT_EQ(told_.size(), 1);
  EXPECT_EQ(told_.front().with, "");
  EXPECT_GE(told_.front().used, limits::long_turn);
}

TEST_F(LoopWatch, SleepIsNoLongTurn) {
  boost::asio::steady_timer timer{io_, 2 * limits::long_turn};
  timer.async_wait([](boost::system::error_code) {});
  run();
  EXPECT_TRUE(told_.empty());
}

TEST_F(LoopWatch, AWaitThatIsNotForTheProcessorIsNamed) {
  turn([] {
    const doing writing{"writing to a disk that hangs"};
    std::this_thread::sleep_for(limits::long_turn);
  });
  run();
  ASSERT_EQ(told_.size(), 1);
  EXPECT_EQ(told_.front().with, "writing to a disk that hangs");
  EXPECT_LT(told_.front().used, told_.front().took);
}

TEST_F(LoopWatch, GoesOnAfterAnException) {
  int turns = 0;
  turn([] { throw std::runtime_error{"a fault"}; });
  turn([&] { ++turns; });
  EXPECT_THROW(watch_.run(io_), std::runtime_error);
  watch_.run(io_);
  EXPECT_EQ(turns, 1);
}

TEST(LongTurn, ItsTextHasTheTimesAndTheName) {
  EXPECT_EQ(as_text({290ms, 312ms, "GET /metrics"}),
            "for 312 ms, 290 ms of the processor, by: GET /metrics");
  EXPECT_EQ(as_text({290ms, 0ms, ""}), "for 290 ms, 290 ms of the processor");
}

TEST(LoopLag, ABlockedLoopIsMeasured) {
  boost::asio::io_context io{1};
  loop_lag lag{io};
  lag.begin();
  const auto until = std::chrono::steady_clock::now() + 5 * limits::turn_probed_every;
  while (std::chrono::steady_clock::now() < until) {
    io.run_one_for(limits::turn_probed_every / 10);
    if (lag.seen().count() == 1) std::this_thread::sleep_for(2 * limits::turn_probed_every);
  }
  lag.stop();
  EXPECT_GE(lag.seen().count(), 2U);
  EXPECT_GE(lag.seen().sum(), 0.09);
}

}  // namespace
}  // namespace tofud::operations
