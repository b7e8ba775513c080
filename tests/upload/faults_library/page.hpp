// What a test tells a daemon into which these faults are preloaded: a page of memory that both map,
// so that faults come and go while the daemon runs. TOFUD_FAULTS names its file.
#pragma once

#include <atomic>
#include <cstdint>
#include <dlfcn.h>

namespace faults {

/// As tests/upload/faults.py writes it; native byte order.
struct page {
  std::atomic<std::int32_t> write_error;   // errno of every write, 0: none
  std::atomic<std::int32_t> sync_error;    // of fsync and fdatasync, which still do their work
  std::atomic<std::int32_t> create_error;  // of what makes a file or directory
  std::atomic<std::int32_t> skipped;       // so many calls that would fail still pass
  std::atomic<std::int64_t> room;          // bytes until ENOSPC, negative: any number
  std::atomic<std::int64_t> clock_ms;      // added to the wall clock
  std::atomic<std::int64_t> refused;       // calls that failed, told to the test
  std::atomic<std::int64_t> haste;         // time goes so much faster, 0 and 1: not
  std::atomic<std::int64_t> hasty_since;   // from here on, nanoseconds of the steady clock
};
static_assert(sizeof(page) == 56 && std::atomic<std::int64_t>::is_always_lock_free);

/// Null where nobody tells anything.
page* shared();

/// The function that this library stands before.
template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace faults
