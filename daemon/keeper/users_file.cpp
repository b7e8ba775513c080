#include "daemon/keeper/users_file.hpp"

#include "daemon/keeper/file_growth.hpp"
#include "protocol/text/sizes.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <utility>

namespace tofud::keeper {

users_file::users_file(std::string path) noexcept : path_{std::move(path)} {
  struct stat before {};
  if (::stat(path_.c_str(), &before) != 0 || before.st_size == 0) {
    ours_ = true;  // all that will be there is new
    return;
  }
  news_ = files::descriptor{::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
  if (news_) ::inotify_add_watch(news_.get(), path_.c_str(), IN_MODIFY);
}

std::string users_file::refusal() const {
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0) {
    return errno == ENOENT ? "" : path_ + " of -json-into can't be read";
  }
  return S_ISREG(now.st_mode)
             ? ""
             : path_ + " of -json-into is not a regular file; another program reads it";
}

// Emptying a file is the first change that tofu makes to it.
bool users_file::emptied() noexcept {
  if (ours_) return true;
  alignas(inotify_event) std::array<char, 4096> news;
  if (::read(news_.get(), news.data(), news.size()) > 0) ours_ = true;
  return ours_;
}

std::uint64_t users_file::copy(spool_writer& to) noexcept {
  if (stopped_ || !emptied()) return 0;
  if (!file_) file_ = files::descriptor{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file_) return 0;
  std::array<char, 64 * limits::kib> room;
  std::uint64_t sum = 0;
  for (;;) {
    const ssize_t n = ::pread(file_.get(), room.data(), room.size(), static_cast<off_t>(copied_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return sum;
    const auto put = to.append({room.data(), static_cast<std::size_t>(n)});
    copied_ += put.bytes;
    sum += put.bytes;
    if (put.stop) {
      stopped_ = true;
      return sum;
    }
  }
}

}  // namespace tofud::keeper
