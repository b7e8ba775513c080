// Signs of life at the interval the service manager asks for; sd_watchdog_enabled(3).
#pragma once

#include "daemon/operations/notifier.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace tofud::operations {

/// Half of what the manager waits for a sign of life; nothing: it waits for none.
std::optional<std::chrono::microseconds> watchdog_interval();

/// A timer of the loop itself gives the sign: a loop that hangs gives none. It asks the other
/// thread, too, and gives no sign while that owes the answer to the last question.
class watchdog {
 public:
  /// `ask_other` has its argument called on the loop when the other thread came by.
  using question = std::function<void(std::function<void()> answered)>;
  watchdog(boost::asio::io_context& io, notifier& told, question ask_other);
  ~watchdog();

  /// Nothing without an interval.
  void begin(std::optional<std::chrono::microseconds> interval);
  void stop();

 private:
  struct state;
  std::shared_ptr<state> state_;  // answers may come when we are gone
};

}  // namespace tofud::operations
