#include "daemon/keeper/ring.hpp"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace tofud::keeper {

byte_ring::byte_ring(std::size_t capacity) : at_{own_}, capacity_{capacity}, is_ours_{true} {
  void* memory = ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  memory_ = static_cast<char*>(memory);
}

byte_ring::byte_ring(ring_positions& at, std::span<char> memory)
    : at_{at}, capacity_{memory.size()}, memory_{memory.data()}, is_ours_{false} {}

byte_ring::~byte_ring() {
  if (is_ours_) ::munmap(memory_, capacity_);
}

std::span<char> byte_ring::room() {
  const auto end = at_.committed.load(std::memory_order_relaxed);
  const auto used = end - at_.released.load(std::memory_order_acquire);
  const auto at = end % capacity_;
  return {memory_ + at, std::min(capacity_ - used, capacity_ - at)};
}

std::span<char> byte_ring::wait_for_room() {
  for (;;) {
    const auto seen = at_.releases.load();
    if (const auto free = room(); !free.empty()) return free;
    at_.releases.wait(seen);
  }
}

void byte_ring::commit(std::size_t bytes) {
  at_.committed.fetch_add(bytes, std::memory_order_release);
  // Sequentially consistent, so that it can't pass the look at who waits inside notify_one.
  at_.commits.fetch_add(1);
  at_.commits.notify_one();
}

void byte_ring::close() {
  at_.closed.store(1, std::memory_order_release);
  at_.commits.fetch_add(1);
  at_.commits.notify_one();
}

std::span<const char> byte_ring::wait_for_bytes() {
  for (;;) {
    // In this order: what was committed before the close is seen once the close is.
    const auto seen = at_.commits.load();
    const bool closed = at_.closed.load(std::memory_order_acquire) != 0;
    const auto begin = at_.released.load(std::memory_order_relaxed);
    const auto used = at_.committed.load(std::memory_order_acquire) - begin;
    const auto at = begin % capacity_;
    if (used > 0) return {memory_ + at, std::min<std::size_t>(used, capacity_ - at)};
    if (closed) return {};
    at_.commits.wait(seen);
  }
}

void byte_ring::clear(std::uint64_t from, std::uint64_t end) {
  while (from < end) {
    const auto at = from % capacity_;
    const auto n = std::min<std::uint64_t>(end - from, capacity_ - at);
    std::fill_n(memory_ + at, n, '\0');
    from += n;
  }
}

std::uint64_t byte_ring::inherit(std::uint64_t stored, std::uint64_t drained, std::size_t piece) {
  const std::uint64_t committed = at_.committed;
  if (stored > committed) {  // a ring of our own, which has seen nothing of it
    at_.released = at_.committed = stored;
    return stored;
  }
  const std::uint64_t begin = at_.released;
  const auto used = static_cast<std::size_t>(committed - begin);
  const auto at = committed % capacity_;
  // The dead read in one piece, and never over the end of the memory.
  const char* first = memory_ + at;
  const char* last = first + std::min({capacity_ - used, capacity_ - at, piece});
  while (last != first && *(last - 1) == '\0') --last;
  const auto found = committed + static_cast<std::uint64_t>(last - first);
  const std::uint64_t end = std::max({found, committed, std::min(drained, begin + capacity_)});
  clear(begin, stored);
  at_.released = stored;
  at_.committed = end;
  at_.closed = 0;
  return end;
}

void byte_ring::release(std::size_t bytes) {
  const std::uint64_t begin = at_.released.load(std::memory_order_relaxed);
  clear(begin, begin + bytes);
  at_.released.fetch_add(bytes, std::memory_order_release);
  at_.releases.fetch_add(1);
  at_.releases.notify_one();
}

}  // namespace tofud::keeper
