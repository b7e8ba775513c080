// What this process holds in memory for those it serves: counted where it is held, so that a daemon
// knows when it holds enough.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tofud::operations {

/// What memory is held for.
enum class memory_for : std::uint8_t {
  rows,     // of runs, and lines of their streams that have not ended
  lines,    // logs and texts of the feed
  flushes,  // of the feed, on their way to subscribers
  bodies,   // of requests and raw streams, until they are on disk
  answers,  // on their way to their clients, and drawn ones that are kept
  walls,    // of those who see some stacks
};
inline constexpr std::size_t memory_parts = 6;

/// As /metrics names it: "rows".
std::string_view name(memory_for part);

namespace detail {
inline std::array<std::atomic<std::size_t>, memory_parts> held_memory_of{};
}

/// Bytes that all of one kind hold now, in any thread.
inline std::size_t memory_held(memory_for part) {
  return detail::held_memory_of[static_cast<std::size_t>(part)].load(std::memory_order_relaxed);
}
/// Bytes of all kinds.
std::size_t memory_held();

/// Bytes that somebody holds, counted as long as this lives. Two atomic additions; no lock.
class held_memory {
 public:
  explicit held_memory(memory_for part, std::size_t bytes = 0) : part_{part} { hold(bytes); }
  held_memory(held_memory&& other) noexcept
      : part_{other.part_}, bytes_{std::exchange(other.bytes_, 0)} {}
  held_memory& operator=(held_memory&& other) noexcept {
    std::swap(part_, other.part_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~held_memory() { hold(0); }

  /// So many from now on, instead of what it was.
  void hold(std::size_t bytes) noexcept {
    detail::held_memory_of[static_cast<std::size_t>(part_)].fetch_add(bytes - bytes_,
                                                                      std::memory_order_relaxed);
    bytes_ = bytes;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  memory_for part_;
  std::size_t bytes_ = 0;
};

}  // namespace tofud::operations
