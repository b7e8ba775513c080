// When what is new is sent to all: by hand, the loop does not run.
#include "daemon/fanout/hub_state.hpp"

#include "daemon/fanout/limits.hpp"
#include "tests/fanout/fake_run.hpp"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>

namespace tofud::fanout {
namespace {

class HubState : public testing::Test {
 protected:
  /// A flush began at `began`, and sending it has taken so long.
  void sending_took(clock::duration time) {
    which->last_flush = began;
    which->sending = time;
  }
  /// Something new came, and the flush clock rings so long after the flush began.
  bool flushes_after(clock::duration time) {
    ++which->version;
    hub->flush_unless_busy(which, began + time);
    return which->last_flush != began;
  }

  boost::asio::io_context io;
  fake_run run;
  std::shared_ptr<hub_state> hub = std::make_shared<hub_state>(io, hub_options{});
  std::shared_ptr<offered_topic> which = std::make_shared<offered_topic>(run.log, io, hub);
  const clock::time_point began = clock::now() - std::chrono::hours{1};
};

TEST_F(HubState, TheNextFlushLeavesAsLongForWhatComesIn) {
  sending_took(std::chrono::milliseconds{40});
  EXPECT_FALSE(flushes_after(std::chrono::milliseconds{79}));
  EXPECT_TRUE(flushes_after(std::chrono::milliseconds{80}));
}

TEST_F(HubState, APauseEndsTheWait) {
  sending_took(std::chrono::milliseconds{40});
  EXPECT_FALSE(flushes_after(std::chrono::milliseconds{50}));
  hub->flush_unless_busy(which, began + std::chrono::milliseconds{55});
  EXPECT_NE(which->last_flush, began);
}

TEST_F(HubState, ThoseWhoAreAlwaysBehindDoNotKeepWhatIsNewFromTheOthers) {
  sending_took(std::chrono::hours{1});
  EXPECT_FALSE(flushes_after(limits::flush_rest - std::chrono::milliseconds{1}));
  EXPECT_TRUE(flushes_after(limits::flush_rest));
}

}  // namespace
}  // namespace tofud::fanout
