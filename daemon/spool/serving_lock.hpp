// Which of several tofud serves the runs here.
#pragma once

#include "daemon/files/descriptor.hpp"

#include <string>

namespace tofud::spool {

/// The file `serving` in a directory of spools: whoever holds its flock serves every run there, and
/// writes the address into it. The lock goes with the process, however that ends.
class serving_lock {
 public:
  /// Makes the file if need be. If that fails nobody is in the way, and every tofud serves its own.
  explicit serving_lock(const std::string& directory) noexcept;

  /// Whether this process serves from now on.
  bool take() noexcept;
  bool taken() const { return taken_; }
  void give_back() noexcept;

  void announce(const std::string& url) noexcept;
  /// The address that the holder has announced; empty if it has not yet, or there is none.
  std::string announced() const;

 private:
  files::descriptor file_;
  bool taken_ = false;
};

}  // namespace tofud::spool
