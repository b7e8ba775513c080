// The bytes between the thread that drains stdin and the thread that writes the spool.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tofud::reader {

/// A byte ring for one producer and one consumer thread. Memory comes from the kernel as it is
/// touched, so an idle ring costs nothing. Positions count bytes since the start and never wrap.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a cache line for each writer
class byte_ring {
 public:
  /// Throws std::bad_alloc if the address space is not to be had.
  explicit byte_ring(std::size_t capacity);
  ~byte_ring();
  byte_ring(const byte_ring&) = delete;
  byte_ring& operator=(const byte_ring&) = delete;

  std::size_t capacity() const { return capacity_; }

  // ---- the producer ----
  /// Free bytes in one piece, to be filled from the front; empty: the ring is full.
  std::span<char> room();
  /// The same, but waits for the consumer instead of coming back empty.
  std::span<char> wait_for_room();
  /// Hands the first `bytes` of the room to the consumer.
  void commit(std::size_t bytes);
  /// No more will come. May be called again.
  void close();

  // ---- the consumer ----
  /// The oldest bytes in one piece; waits for them. Empty: closed, and all was taken.
  std::span<const char> wait_for_bytes();
  /// Gives the first `bytes` of them back to the producer.
  void release(std::size_t bytes);

 private:
  std::size_t capacity_;
  char* memory_;
  // 32-bit counters to wait on, since those are plain futexes; each moves after its position.
  alignas(64) std::atomic<std::uint64_t> committed_{0};
  std::atomic<std::uint32_t> commits_{0};
  std::atomic<bool> closed_{false};
  alignas(64) std::atomic<std::uint64_t> released_{0};
  std::atomic<std::uint32_t> releases_{0};
};

}  // namespace tofud::reader
