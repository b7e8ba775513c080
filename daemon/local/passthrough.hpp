// `--progress=json`: the stream on stdout, byte for byte.
#pragma once

#include "daemon/keeper/worker_link.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace tofud {

/// Copies what is stored to stdout from a thread of its own, from where the worker before this one
/// stopped. A reader that leaves ends the copying, nothing else.
class passthrough {
 public:
  explicit passthrough(keeper::worker_link& link);
  ~passthrough();
  passthrough(const passthrough&) = delete;
  passthrough& operator=(const passthrough&) = delete;

  /// There may be more to copy; `page->eof` may be set.
  void wake();
  bool finished() const;

 private:
  void run();

  keeper::worker_link& link_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = true, finished_ = false, stopping_ = false;
  std::thread thread_;
};

}  // namespace tofud
