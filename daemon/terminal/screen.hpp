// The terminal behind a descriptor: how large, whose, and who else draws on it.
#pragma once

#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/live_block.hpp"

#include <string>

namespace tofud::terminal {

/// By ioctl, at each frame: it may have been resized.
screen_size size_of_screen(int fd);

/// Whether our process group is the one the terminal belongs to now. Somebody else's prompt is not
/// to be drawn over. True where it can't be known.
bool in_foreground(int fd);

/// What takes away a block that stands on the terminal and the progress it was told, whoever drew
/// them.
std::string erasure(const environment& env);

/// Held by the one tofud that draws on a terminal, until it ends. It is an advisory lock (flock) on
/// the terminal itself, so there is nothing to be left behind.
class screen_lock {
 public:
  enum class outcome : bool { ours, taken };

  /// What can't be locked at all is ours: better two that draw than none.
  explicit screen_lock(int fd);
  ~screen_lock();
  screen_lock(const screen_lock&) = delete;
  screen_lock& operator=(const screen_lock&) = delete;

  outcome result() const { return result_; }

 private:
  int own_ = -1;
  outcome result_ = outcome::ours;
};

}  // namespace tofud::terminal
