#include "daemon/spool/serving_lock.hpp"

#include "daemon/files/checked_file.hpp"

#include <array>
#include <fcntl.h>
#include <sys/file.h>

namespace tofud::spool {

serving_lock::serving_lock(const std::string& directory) noexcept try
    : file_{files::open_checked(directory + "/serving", O_RDWR | O_CREAT)} {
} catch (const std::bad_alloc&) {
}

bool serving_lock::take() noexcept {
  if (!taken_) taken_ = !file_ || ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
  return taken_;
}

void serving_lock::give_back() noexcept {
  if (taken_ && file_) ::flock(file_.get(), LOCK_UN);
  taken_ = false;
}

void serving_lock::announce(const std::string& url) noexcept {
  if (!file_) return;
  [[maybe_unused]] const int cut = ::ftruncate(file_.get(), 0);
  [[maybe_unused]] const auto put = ::pwrite(file_.get(), url.data(), url.size(), 0);
}

std::string serving_lock::announced() const {
  std::array<char, 256> room;
  const auto n = file_ ? ::pread(file_.get(), room.data(), room.size(), 0) : 0;
  return n > 0 ? std::string{room.data(), static_cast<std::size_t>(n)} : std::string{};
}

}  // namespace tofud::spool
