// The worker's part when the keeper is killed: it reads tofu's stream on.
#pragma once

#include "daemon/keeper/spool_writer.hpp"
#include "daemon/keeper/wakeup.hpp"
#include "daemon/keeper/worker_link.hpp"

#include <atomic>
#include <optional>
#include <thread>

namespace tofud::keeper {

/// Waits, on a thread of its own, for the death of the keeper, and then does what the keeper did:
/// drains the input through the shared ring into the spool until it ends. What the dead keeper had
/// read is in the ring or already in the spool, so nothing is lost. Nothing happens where there is
/// no input to inherit (`tofud run`: tofu writes the spool itself).
class heir {
 public:
  /// `link` outlives it.
  explicit heir(worker_link& link, const spool_caps& caps = {});
  /// If it has inherited, waits for the end of the input.
  ~heir();
  heir(const heir&) = delete;
  heir& operator=(const heir&) = delete;

  /// There is something to inherit: the keeper's death is not the end of the stream.
  bool is_ready() const { return waiting_.joinable(); }
  bool has_inherited() const { return inherited_; }

 private:
  void wait() noexcept;
  void take_over() noexcept;

  worker_link& link_;
  spool_caps caps_;
  wakeup stop_, worker_;
  std::atomic<bool> inherited_{false};
  std::jthread waiting_;
};

}  // namespace tofud::keeper
