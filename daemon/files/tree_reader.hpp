// Reads below a directory that belongs to another user, as root does: no link leads out of it.
#pragma once

#include "daemon/files/descriptor.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tofud::files {

/// Every part of a path below the directory is opened by itself, and none may be a link (ELOOP or
/// ENOTDIR); a file has no other name (EMLINK). Failures leave errno.
class tree_reader {
 public:
  explicit tree_reader(const std::string& directory);
  explicit operator bool() const { return static_cast<bool>(root_); }

  /// A regular file; without a descriptor: it can't be opened.
  descriptor open(const std::string& path) const;
  /// What a directory holds but `.` and `..`, in no order.
  std::optional<std::vector<std::string>> names(const std::string& path) const;

 private:
  descriptor directory_of(const std::string& path) const;

  descriptor root_;
};

}  // namespace tofud::files
