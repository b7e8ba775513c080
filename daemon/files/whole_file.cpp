#include "daemon/files/whole_file.hpp"

#include "daemon/files/checked_file.hpp"
#include "daemon/files/errors.hpp"
#include "daemon/files/write_all.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::files {
namespace {

text::failure unwritable(const std::string& path, int code) {
  return {error::unwritable, path, std::strerror(code)};
}

/// 0, or the error.
int write_and_close(int fd, std::string_view text) {
  int error = files::write_all(fd, text) ? 0 : errno;
  if (::close(fd) != 0 && error == 0) error = errno;
  return error;
}

int write_to(const std::string& path, int flags, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  return fd < 0 ? errno : write_and_close(fd, text);
}

int write_new(const std::string& path, std::string_view text) {
  ::unlink(path.c_str());  // of one that was killed, or of somebody who lays a trap
  const int fd = files::open_checked(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
  return fd < 0 ? errno : write_and_close(fd, text);
}

}  // namespace

text::failure write_whole_file(const std::string& path, std::string_view text) {
  struct stat there {};
  const bool is_link = ::lstat(path.c_str(), &there) == 0 && S_ISLNK(there.st_mode);
  if (is_link && there.st_uid != ::geteuid() && there.st_uid != 0)
    return {error::link_of_another, path};
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    const int error = S_ISDIR(there.st_mode) ? EISDIR : write_to(path, 0, text);
    if (error == 0) return {};
    return unwritable(path, error);
  }
  // What a link leads to is written, the link stays.
  std::error_code none;
  const auto resolved = std::filesystem::canonical(path, none);
  const std::string place = none ? path : resolved.string();
  const std::string made = place + "." + std::to_string(::getpid()) + ".part";
  int error = write_new(made, text);
  if (error == 0 && std::rename(made.c_str(), place.c_str()) != 0) error = errno;
  if (error == 0) return {};
  std::remove(made.c_str());
  return unwritable(path, error);
}

text::failure write_file_of_run(const std::string& path, std::string_view text) {
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0 || S_ISREG(there.st_mode)) {
    return write_whole_file(path, text);
  }
  if (S_ISDIR(there.st_mode)) return unwritable(path, EISDIR);
  return {error::no_file, path};
}

}  // namespace tofud::files
