#include "daemon/keeper/wakeup.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>

namespace tofud::keeper {

wakeup::wakeup() : fd_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)} {}

wakeup::wakeup(int fd) : fd_{::fcntl(fd, F_DUPFD_CLOEXEC, 0)} {}

void wakeup::notify() const noexcept {
  // Fails only when 2^64-1 notes wait unread: then there is enough to wake up for.
  [[maybe_unused]] const int ignored = ::eventfd_write(fd_.get(), 1);
}

void wakeup::clear() const noexcept {
  eventfd_t notes = 0;
  [[maybe_unused]] const int ignored = ::eventfd_read(fd_.get(), &notes);
}

}  // namespace tofud::keeper
