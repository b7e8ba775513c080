// A file without a name on any disk: gone with the process, however that ends.
#pragma once

#include "daemon/files/descriptor.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace tofud::files {

/// Holds its bytes in memory. Nobody but this user's processes can open it.
class memory_file {
 public:
  static text::result<memory_file> of(std::string_view bytes);
  /// For who inherits it. Its offset is at the end: use pread(2).
  descriptor release() && { return std::move(descriptor_); }

  /// Can be opened for reading, by this process, as long as this is there.
  std::string path() const;
  /// Can be opened by any process of this user that sees this one, as long as this is there.
  std::string path_for_others() const;
  int fd() const { return descriptor_.get(); }

 private:
  explicit memory_file(int fd) : descriptor_{fd} {}
  descriptor descriptor_;
};

}  // namespace tofud::files
