#include "daemon/files/write_all.hpp"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace tofud::files {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      // Somebody else made the shared description non-blocking.
      pollfd room{fd, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (count == 0) {
      errno = ENOSPC;
      return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace tofud::files
