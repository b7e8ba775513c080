// The command that `tofud run` starts.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "daemon/keeper/original_signals.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tofud::keeper {

struct child_plan {
  std::string program;            // a path, or a name that is looked up in PATH
  std::vector<std::string> argv;  // the program's name as it was typed first
  std::vector<std::string> env;   // NAME=VALUE
  int stdout_fd = -1;             // -1: ours
  int stderr_fd = -1;             // -1: ours
  int held_fd = -1;               // inherited as well: the spool, so that its flock stands
};

/// A child in our process group, so that a terminal's signals reach it as without us.
class wrapped_child {
 public:
  /// The child, or why there is none: an errno of posix_spawnp(3).
  struct started;
  static started start(const child_plan& plan, const original_signals& signals) noexcept;

  /// Readable when it has ended; -1 where the kernel has no pidfds.
  int fd() const { return pidfd_.get(); }
  /// How it ended, once it has: a status as of waitpid(2). To be asked until it says so.
  std::optional<int> ended() const noexcept;
  void signal(int number) const noexcept;

 private:
  explicit wrapped_child(pid_t pid) noexcept;
  pid_t pid_;
  files::descriptor pidfd_;
};

struct wrapped_child::started {
  std::optional<wrapped_child> child;
  int error = 0;
};

/// What a shell's `$?` would say: the status, or 128+n for a signal.
int shell_status(int wait_status);

/// What a shell says of a program that it can't start: 127 if there is none, else 126.
int status_of_no_start(int error);

}  // namespace tofud::keeper
