// Threads that do something for each of many together: mostly, they wait for the disk.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tofud::journal {

/// An fdatasync ends with a flush of the disk's cache. One after the other, 200 files take 200
/// flushes; asked for at once, the kernel does a few for all of them (measured: 20 ms in place of a
/// second). What else is done for each of many and is waited for is done so as well. Remembers only
/// its threads.
class sync_crew {
 public:
  /// With fewer threads if the system gives no more. They take no signals if the caller doesn't.
  explicit sync_crew(std::size_t helpers);
  ~sync_crew();
  sync_crew(const sync_crew&) = delete;
  sync_crew& operator=(const sync_crew&) = delete;

  /// Calls `work` with each number below `count`, on the caller's thread and the helpers', in any
  /// order, and returns when all of them returned. It throws nothing.
  void each(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  void help();
  /// With `held` locked, as it is again afterwards.
  void take_one(std::unique_lock<std::mutex>& held);

  std::mutex mutex_;
  std::condition_variable news_, all_done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0, next_ = 0, left_ = 0;
  bool stopping_ = false;
  std::vector<std::jthread> helpers_;  // last: they see the others
};

}  // namespace tofud::journal
