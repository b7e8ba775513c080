// Debian's libstdc++.a seeds its random_device with arc4random, which glibc has since 2.36 only.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" std::uint32_t arc4random() noexcept;

extern "C" std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  while (::getrandom(&value, sizeof value, 0) != sizeof value) {
    if (errno != EINTR) std::abort();  // as glibc's: a weak number is worse than none
  }
  return value;
}
