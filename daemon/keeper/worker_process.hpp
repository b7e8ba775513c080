// One worker, as its keeper sees it: a child that may stop, hang or die at any time.
#pragma once

#include "daemon/files/descriptor.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tofud::keeper {

/// The keeper's own descriptors of what the worker is to inherit (`worker_link.hpp`).
struct worker_files {
  int page = -1;
  int spool = -1;
  int wakeup = -1;
  int liveness = -1;
  int events = -1;
  int input = -1;
  int told = -1;
};

class worker_process {
 public:
  /// Starts a child with stdin from /dev/null, our stdout and stderr, an empty signal mask and our
  /// (ignored) signals. Nothing if the kernel won't; throws std::bad_alloc.
  static std::optional<worker_process> start(const std::string& executable,
                                             const std::vector<std::string>& argv,
                                             const worker_files& files);

  /// How it ended, once it has: a status as of waitpid(2). To be asked until it says so.
  std::optional<int> ended();
  /// Readable when it has ended; -1 where the kernel has no pidfds.
  int fd() const { return pidfd_.get(); }
  void signal(int number) const;

 private:
  explicit worker_process(pid_t pid);
  pid_t pid_;
  files::descriptor pidfd_;
};

/// "was killed by signal 9"; half a sentence.
std::string ending_text(int status);

}  // namespace tofud::keeper
