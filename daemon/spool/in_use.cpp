#include "daemon/spool/in_use.hpp"

#include "daemon/files/directory_handle.hpp"
#include "daemon/spool/limits.hpp"

#include <cerrno>
#include <charconv>
#include <dirent.h>
#include <memory>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>

namespace tofud::spool {
namespace {

std::optional<int> number(std::string_view text) {
  int found = 0;
  const auto [stop, failed] = std::from_chars(text.data(), text.data() + text.size(), found);
  if (failed != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return found;
}

std::string descriptors_of(pid_t process) { return "/proc/" + std::to_string(process) + "/fd"; }

/// The link is writable to its owner exactly if the file is open for writing (proc(5)).
bool writes(const std::string& link, const struct stat& file) {
  struct stat target {};
  struct stat mode {};
  return ::stat(link.c_str(), &target) == 0 && target.st_dev == file.st_dev &&
         target.st_ino == file.st_ino && ::lstat(link.c_str(), &mode) == 0 &&
         (mode.st_mode & S_IWUSR) != 0;
}

}  // namespace

bool is_locked(int fd, std::chrono::system_clock::time_point now) {
  struct stat facts {};
  if (::fstat(fd, &facts) == 0 && facts.st_size == 0) {
    const auto made = std::chrono::system_clock::from_time_t(facts.st_mtime);
    if (now - made < limits::spool_settles) return true;
  }
  if (::flock(fd, LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  ::flock(fd, LOCK_UN);
  return false;
}

std::optional<file_writer> find_writer(const struct stat& file) {
  const files::directory_handle processes{::opendir("/proc")};
  if (!processes) return std::nullopt;
  while (const dirent* each = ::readdir(processes.get())) {
    const auto process = number(static_cast<const char*>(each->d_name));
    if (!process || *process == ::getpid()) continue;
    const std::string folder = descriptors_of(*process);
    const files::directory_handle descriptors{::opendir(folder.c_str())};
    if (!descriptors) continue;  // another user's, or gone
    while (const dirent* link = ::readdir(descriptors.get())) {
      const auto fd = number(static_cast<const char*>(link->d_name));
      if (!fd) continue;
      const file_writer found{*process, *fd};
      if (still_writes(found, file)) return found;
    }
  }
  return std::nullopt;
}

bool still_writes(const file_writer& writer, const struct stat& file) {
  return writes(descriptors_of(writer.process) + "/" + std::to_string(writer.fd), file);
}

}  // namespace tofud::spool
