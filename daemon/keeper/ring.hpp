// The bytes between the thread that drains stdin and the thread that writes the spool, in memory
// that outlives the process of both.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tofud::keeper {

/// Where a ring stands: all zero at first. Positions count bytes since the start and never wrap.
/// The 32-bit counters are to wait on, since those are plain futexes; each moves after its
/// position.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a cache line for each writer
struct ring_positions {
  alignas(64) std::atomic<std::uint64_t> committed{0};
  std::atomic<std::uint32_t> commits{0};
  std::atomic<std::uint32_t> closed{0};
  alignas(64) std::atomic<std::uint64_t> released{0};
  std::atomic<std::uint32_t> releases{0};
};

/// A byte ring for one producer and one consumer thread of one process. What is free of it is zero,
/// so that another process that has the memory finds what the producer had put there last, even if
/// it was killed before it could say so (`inherit`). Memory comes from the kernel as it is touched,
/// so an idle ring costs nothing.
class byte_ring {
 public:
  /// Memory of its own. Throws std::bad_alloc if the address space is not to be had.
  explicit byte_ring(std::size_t capacity);
  /// Over memory of others, which outlives it.
  byte_ring(ring_positions& at, std::span<char> memory);
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

  // ---- who takes over from a process that is dead ----
  /// `stored` bytes of the stream are out of the ring, whatever its positions say; `drained` are
  /// known to be in it. What stands behind them, up to the last byte that is not zero within
  /// `piece` bytes, was read by the dead as well. Returns the end of all that is there, and the
  /// ring goes on from it. `stored` is within the ring's positions.
  std::uint64_t inherit(std::uint64_t stored, std::uint64_t drained, std::size_t piece);
  /// The bytes of the stream from `from` to the end that `inherit` returned, in pieces.
  template <class Take>
  void read(std::uint64_t from, std::uint64_t end, Take&& take) const {
    while (from < end) {
      const auto at = from % capacity_;
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(end - from, capacity_ - at));
      take(from, std::span<const char>{memory_ + at, n});
      from += n;
    }
  }

  // ---- the consumer ----
  /// The oldest bytes in one piece; waits for them. Empty: closed, and all was taken.
  std::span<const char> wait_for_bytes();
  /// Gives the first `bytes` of them back to the producer.
  void release(std::size_t bytes);

 private:
  void clear(std::uint64_t from, std::uint64_t end);

  ring_positions own_;
  ring_positions& at_;
  std::size_t capacity_;
  char* memory_;
  bool is_ours_;
};

}  // namespace tofud::keeper
