#include "daemon/keeper/file_growth.hpp"

#include <array>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tofud::keeper {

file_growth::file_growth(const std::string& path) noexcept
    : fd_{::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)} {
  if (fd_ && ::inotify_add_watch(fd_.get(), path.c_str(), IN_MODIFY) < 0) fd_ = files::descriptor{};
}

void file_growth::clear() const noexcept {
  alignas(inotify_event) std::array<char, 4096> news;
  while (fd_ && ::read(fd_.get(), news.data(), news.size()) > 0) {
  }
}

std::uint64_t file_size(int fd) noexcept {
  struct stat file {};
  return ::fstat(fd, &file) == 0 ? static_cast<std::uint64_t>(file.st_size) : 0;
}

}  // namespace tofud::keeper
