// How signals were set when this program was started, for the programs that it starts in turn.
#pragma once

#include <csignal>
#include <spawn.h>

namespace tofud::keeper {

/// Remembered before anything is changed. A command started through tofud finds what it would have
/// found without it: what a `nohup` ignores stays ignored.
class original_signals {
 public:
  /// Looks at what is set now.
  original_signals() noexcept;
  /// Into the attributes of posix_spawn(3), which then has a mask and defaults.
  void apply(posix_spawnattr_t& attributes) const noexcept;
  /// In this process, before an exec.
  void restore() const noexcept;

 private:
  sigset_t mask_{};
  sigset_t defaults_{};  // not ignored at the start
};

}  // namespace tofud::keeper
