// The file of a Unix socket: made, taken over, removed.
#pragma once

#include "daemon/http/listener.hpp"

#include <boost/system/result.hpp>

#include <optional>
#include <string>
#include <sys/types.h>

namespace tofud::http {

/// A listening Unix socket and its file. The file goes with it if it is still the one that was
/// made; the descriptor is the owner's who takes it.
class local_door {
 public:
  /// See listener::bind_local.
  static boost::system::result<local_door, listen_failure> open(const std::string& path);
  local_door(local_door&& other) noexcept;
  local_door& operator=(local_door&&) = delete;
  ~local_door();

  /// The listening descriptor, close-on-exec; to be closed by who takes it.
  int take();

 private:
  local_door(std::string path, int fd, dev_t device, ino_t inode);

  std::string path_;  // empty: moved from
  int fd_;
  dev_t device_;
  ino_t inode_;
};

/// The user at the other end of a connection; nothing: the kernel does not say.
std::optional<uid_t> uid_of(int connected);

}  // namespace tofud::http
