#include "daemon/forward/sending_lock.hpp"

#include "daemon/files/checked_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tofud::forward {

sending_lock::sending_lock(const std::string& path)
    : fd_{files::open_checked(path, O_RDWR | O_CREAT)} {
  if (fd_ >= 0) taken_ = ::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

sending_lock::~sending_lock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace tofud::forward
