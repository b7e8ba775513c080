// How long each turn of a loop took, and what held the loop if that was long. A turn is one handler
// that the loop calls; nobody else is served before it returns.
#pragma once

#include "protocol/text/histogram.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <utility>

namespace tofud::operations {

struct long_turn {
  /// Of the processor, by this thread. At most limits::turn_looked_at more than the turn used.
  std::chrono::nanoseconds used{};
  /// By the clock, of what is named; 0 if nothing was.
  std::chrono::nanoseconds took{};
  std::string with;  // what held the loop; empty: nothing long was named
};

/// "for 312 ms, 290 ms of the processor, by: GET /v1/runs/latest/plan".
std::string as_text(const long_turn& turn);

/// Runs a loop a turn at a time and looks at each. Used by the loop's thread.
class loop_watch {
 public:
  /// `told` hears of turns that took limits::long_turn or more, after they are over; empty: nobody
  /// does. Where the environment names a file in TOFUD_LONG_TURNS, each over limits::turn_budget is
  /// a line of it: tests look there.
  explicit loop_watch(std::function<void(const long_turn&)> told = {}) : told_{std::move(told)} {}

  /// As io.run(): until there is no more work or the loop is stopped. An exception of a handler
  /// passes; call it again.
  void run(boost::asio::io_context& io);

 private:
  void look(std::chrono::steady_clock::time_point now);

  std::function<void(const long_turn&)> told_;
  std::chrono::steady_clock::time_point looked_at_;
  std::chrono::nanoseconds used_before_{};
};

/// How long a request waits until the daemon has time for it, by the clock: a timer of the loop
/// sees how late it is called.
class loop_lag {
 public:
  explicit loop_lag(boost::asio::io_context& io) : timer_{io} {}
  /// Looks each limits::turn_probed_every until stop().
  void begin();
  void stop() { timer_.cancel(); }
  const text::duration_histogram& seen() const { return seen_; }

 private:
  boost::asio::steady_timer timer_;
  text::duration_histogram seen_;
};

}  // namespace tofud::operations
