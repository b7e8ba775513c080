#include "daemon/forward/sending_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tofud::forward {

sending_lock::sending_lock(const std::string& path)
    : fd_{::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)} {
  if (fd_ >= 0) taken_ = ::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

sending_lock::~sending_lock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace tofud::forward
