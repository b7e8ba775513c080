#include "daemon/reader/wakeup.hpp"

#include <sys/eventfd.h>

namespace tofud::reader {

wakeup::wakeup() : fd_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)} {}

void wakeup::notify() const noexcept {
  // Fails only when 2^64-1 notes wait unread: then there is enough to wake up for.
  [[maybe_unused]] const int ignored = ::eventfd_write(fd_.get(), 1);
}

void wakeup::clear() const noexcept {
  eventfd_t notes = 0;
  [[maybe_unused]] const int ignored = ::eventfd_read(fd_.get(), &notes);
}

}  // namespace tofud::reader
