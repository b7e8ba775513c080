#include "tests/bench/held_bytes.hpp"

#include <algorithm>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::size_t now = 0, most = 0;

void* allocate(std::size_t size) {
  void* at = std::malloc(size);
  if (at == nullptr) throw std::bad_alloc{};
  now += malloc_usable_size(at);
  most = std::max(most, now);
  return at;
}

void release(void* at) {
  if (at != nullptr) now -= malloc_usable_size(at);
  std::free(at);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void operator delete(void* at) noexcept { release(at); }
void operator delete(void* at, std::size_t) noexcept { release(at); }

namespace tofud::bench {

std::size_t held() { return now; }
std::size_t most_held() { return most; }
void forget_most_held() { most = now; }

}  // namespace tofud::bench
