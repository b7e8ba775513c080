// A file that another process writes.
#pragma once

#include "daemon/files/descriptor.hpp"

#include <cstdint>
#include <string>

namespace tofud::keeper {

/// Tells when a file may have grown. Where the kernel has no inotify to give, `fd` is -1 and the
/// file is to be looked at now and then.
class file_growth {
 public:
  /// `path` exists.
  explicit file_growth(const std::string& path) noexcept;
  int fd() const { return fd_.get(); }
  /// Takes the news; to be called before the file is looked at.
  void clear() const noexcept;

 private:
  files::descriptor fd_;
};

/// 0 if it can't be asked.
std::uint64_t file_size(int fd) noexcept;

}  // namespace tofud::keeper
