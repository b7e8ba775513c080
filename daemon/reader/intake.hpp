// stdin into the spool: one half drains, the other stores, a ring between them.
#pragma once

#include "daemon/reader/ring.hpp"
#include "daemon/reader/shared_page.hpp"
#include "daemon/reader/spool.hpp"
#include "daemon/reader/wakeup.hpp"

#include <atomic>
#include <cstdint>

namespace tofud::reader {

enum class input_kind {
  live,  // somebody writes it and must not wait: what the disk can't take is dropped
  file,  // nobody minds waiting
};

/// Each half runs on its own thread, neither throws or allocates. When both are done, `page.eof` is
/// set and both wakeups are notified. What it is given must outlive it.
class intake {
 public:
  intake(int input, input_kind kind, byte_ring& ring, stream_page& page, const wakeup& worker,
         const wakeup& keeper);

  /// Reads the input to its end. Waits for nothing else (a live input), whatever happens to the
  /// rest.
  void drain() noexcept;
  /// Writes what was drained. After a stop it only makes room.
  void store(spool& out) noexcept;
  /// Both, where there are no threads.
  void drain_and_store(spool& out) noexcept;

 private:
  void count(std::span<const char> bytes) noexcept;
  bool put(spool& out, std::span<const char> bytes) noexcept;
  void half_done() noexcept;

  int input_;
  input_kind kind_;
  byte_ring& ring_;
  stream_page& page_;
  const wakeup& worker_;
  const wakeup& keeper_;
  std::uint64_t drained_ = 0;  // our own: the page can be written by a worker gone wrong
  std::uint64_t stored_ = 0;
  std::atomic<bool> stopped_{false};
  std::atomic<int> halves_{2};
};

}  // namespace tofud::reader
