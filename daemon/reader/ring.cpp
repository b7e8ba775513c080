#include "daemon/reader/ring.hpp"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace tofud::reader {

byte_ring::byte_ring(std::size_t capacity) : capacity_{capacity} {
  void* memory = ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  memory_ = static_cast<char*>(memory);
}

byte_ring::~byte_ring() { ::munmap(memory_, capacity_); }

std::span<char> byte_ring::room() {
  const auto end = committed_.load(std::memory_order_relaxed);
  const auto used = end - released_.load(std::memory_order_acquire);
  const auto at = end % capacity_;
  return {memory_ + at, std::min(capacity_ - used, capacity_ - at)};
}

std::span<char> byte_ring::wait_for_room() {
  for (;;) {
    const auto seen = releases_.load();
    if (const auto free = room(); !free.empty()) return free;
    releases_.wait(seen);
  }
}

void byte_ring::commit(std::size_t bytes) {
  committed_.fetch_add(bytes, std::memory_order_release);
  // Sequentially consistent, so that it can't pass the look at who waits inside notify_one.
  commits_.fetch_add(1);
  commits_.notify_one();
}

void byte_ring::close() {
  closed_.store(true, std::memory_order_release);
  commits_.fetch_add(1);
  commits_.notify_one();
}

std::span<const char> byte_ring::wait_for_bytes() {
  for (;;) {
    // In this order: what was committed before the close is seen once the close is.
    const auto seen = commits_.load();
    const bool closed = closed_.load(std::memory_order_acquire);
    const auto begin = released_.load(std::memory_order_relaxed);
    const auto used = committed_.load(std::memory_order_acquire) - begin;
    const auto at = begin % capacity_;
    if (used > 0) return {memory_ + at, std::min<std::size_t>(used, capacity_ - at)};
    if (closed) return {};
    commits_.wait(seen);
  }
}

void byte_ring::release(std::size_t bytes) {
  released_.fetch_add(bytes, std::memory_order_release);
  releases_.fetch_add(1);
  releases_.notify_one();
}

}  // namespace tofud::reader
