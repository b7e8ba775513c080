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
class local_socket_file {
 public:
  /// See listener::bind_local.
  static boost::system::result<local_socket_file, listen_failure> open(const std::string& path);
  local_socket_file(local_socket_file&& other) noexcept;
  local_socket_file& operator=(local_socket_file&&) = delete;
  ~local_socket_file();

  /// The listening descriptor, close-on-exec; to be closed by who takes it.
  int take();

 private:
  local_socket_file(std::string path, int fd, dev_t device, ino_t inode);

  std::string path_;  // empty: moved from
  int fd_;
  dev_t device_;
  ino_t inode_;
};

/// The user at the other end of a connection; nothing: the kernel does not say.
std::optional<uid_t> uid_of(int connected);

}  // namespace tofud::http
