#include "daemon/files/checked_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::files {
namespace {

int refused(int fd, int error) noexcept {
  ::close(fd);
  errno = error;
  return -1;
}

/// 0, or the error.
int check(int fd, int directory, bool writes) noexcept {
  struct stat file {};
  struct stat parent {};
  if (::fstat(fd, &file) != 0 || ::fstat(directory, &parent) != 0) return errno;
  if (!S_ISREG(file.st_mode)) return EINVAL;
  if (!writes) return 0;
  if (file.st_nlink > 1) return EMLINK;
  const bool is_of_place =
      file.st_uid == ::geteuid() || file.st_uid == 0 || file.st_uid == parent.st_uid;
  return is_of_place ? 0 : EPERM;
}

}  // namespace

int open_checked_at(int directory, const char* name, int flags, mode_t mode) noexcept {
  // A FIFO would make us wait for its other end.
  constexpr int always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const int fd = ::openat(directory, name, (flags & ~O_TRUNC) | always, mode);
  if (fd < 0) return -1;
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (const int error = check(fd, directory, writes); error != 0) return refused(fd, error);
  if ((flags & O_TRUNC) != 0 && ::ftruncate(fd, 0) != 0) return refused(fd, errno);
  if ((flags & O_NONBLOCK) == 0) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

int open_checked(const std::string& path, int flags, mode_t mode) noexcept try {
  const auto slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : path.substr(0, slash);
  const int directory = ::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return -1;
  const char* name = path.c_str() + (slash == std::string::npos ? 0 : slash + 1);
  const int fd = open_checked_at(directory, name, flags, mode);
  const int error = errno;
  ::close(directory);
  errno = error;
  return fd;
} catch (const std::bad_alloc&) {
  errno = ENOMEM;
  return -1;
}

}  // namespace tofud::files
