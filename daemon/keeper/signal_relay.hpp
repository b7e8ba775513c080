// Signals that were sent to tofud although they are meant for tofu.
#pragma once

#include "daemon/files/descriptor.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace tofud::keeper {

/// A signal from the terminal reaches the whole process group, tofu has it. One sent by a process
/// may have gone to the group as well, so it is passed on a little later, and only if tofu shows
/// nothing of it: two interrupts make OpenTofu leave without saving its state. Passive: whoever
/// polls `fd` tells it what the time is.
class signal_relay {
 public:
  using clock = std::chrono::steady_clock;

  /// Blocks INT, TERM, HUP and QUIT in this thread; to be made before other threads are.
  signal_relay() noexcept;

  /// Readable when a signal waits to be taken.
  int fd() const { return fd_.get(); }
  /// Takes what came.
  void take(clock::time_point now) noexcept;
  /// The number of a signal whose time has come, once.
  std::optional<int> due(clock::time_point now) noexcept;
  /// When the next one is due.
  std::optional<clock::time_point> next() const noexcept;

 private:
  struct waiting {
    int number;
    clock::time_point due;
  };
  files::descriptor fd_;
  std::optional<waiting> waiting_;  // the newest: one is enough
};

}  // namespace tofud::keeper
