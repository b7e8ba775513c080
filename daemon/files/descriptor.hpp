// An open file descriptor with one owner.
#pragma once

#include <unistd.h>
#include <utility>

namespace tofud::files {

/// Closes what it holds when it goes out of scope; -1 holds nothing.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) : fd_{fd} {}
  descriptor(descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const { return fd_; }
  /// From now on the caller closes it.
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace tofud::files
