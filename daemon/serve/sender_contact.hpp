// Whether the sender of a run is heard of.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/ui/timestamp.hpp"

#include <chrono>
#include <optional>

namespace tofud::serve {

/// By a clock that nobody sets; of the time before this daemon started the journal tells.
class sender_contact {
 public:
  void heard();
  /// Before this daemon started, by the clock of the day.
  void heard_before(ui::time_point at) { before_ = at; }
  /// Nobody could hear of it here for a while: it is not lost for that.
  void could_not_hear();
  /// It has a connection open for the whole stream: silent is not gone.
  void set_connected(bool connected) {
    connected_ = connected;
    was_connected_ = was_connected_ || connected;
  }
  bool was_connected() const { return was_connected_; }
  bool is_from_before() const { return before_.has_value(); }

  bool heard_since(std::chrono::steady_clock::time_point since) const {
    return connected_ || (!before_ && last_ >= since);
  }
  feed::run_contact now() const;
  /// True once for each change of `now`.
  bool differs(feed::run_contact now);

 private:
  using steady = std::chrono::steady_clock;
  steady::time_point last_ = steady::now();
  std::optional<ui::time_point> before_;  // nothing: heard since
  feed::run_contact shown_ = feed::run_contact::ok;
  bool connected_ = false, was_connected_ = false;
};

}  // namespace tofud::serve
