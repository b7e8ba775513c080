#include "daemon/http/local_socket_file.hpp"

#include "daemon/files/descriptor.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tofud::http {
namespace {

using namespace std::chrono_literals;

/// Who starts beside us holds the directory's lock for some microseconds.
constexpr int lock_tries = 100;
constexpr std::chrono::milliseconds lock_pause{10};

listen_failure failed(const std::string& path, std::string_view why) {
  return {"cannot listen on the Unix socket " + path + ": " + std::string{why}};
}

listen_failure failed(const std::string& path, int error) {
  return failed(path, std::strerror(error));
}

bool lock(int directory) {
  for (int n = 0; n < lock_tries; ++n) {
    if (::flock(directory, LOCK_EX | LOCK_NB) == 0) return true;
    std::this_thread::sleep_for(lock_pause);
  }
  return false;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  std::memcpy(where.sun_path, path.c_str(), path.size() + 1);
  return where;
}

/// Nothing if `path` is free now; a socket that nobody listens on is removed.
boost::system::result<void, listen_failure> clear(const std::string& path,
                                                  const sockaddr_un& where) {
  struct stat there {};
  if (::lstat(path.c_str(), &there) != 0) {
    if (errno == ENOENT) return {};
    return failed(path, errno);
  }
  if (!S_ISSOCK(there.st_mode)) {
    return failed(path,
                  "the path is a file that is not a socket; remove it or choose another path");
  }
  const files::descriptor asking{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (asking.get() < 0) return failed(path, errno);
  if (::connect(asking.get(), reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0 ||
      errno == EAGAIN) {  // EAGAIN: somebody listens and is busy
    return failed(path, "another process is already listening there");
  }
  if (errno == ENOENT) return {};
  if (errno != ECONNREFUSED) return failed(path, errno);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failed(path, errno);
  return {};
}

}  // namespace

boost::system::result<local_socket_file, listen_failure> local_socket_file::open(
    const std::string& path) {
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return failed(path, "the path is too long; a socket path has at most " +
                            std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes");
  }
  if (path.empty() || path.ends_with('/') || path.find('\0') != std::string::npos) {
    return failed(path, "the path is not a file path");
  }
  const auto slash = path.rfind('/');
  const std::string parent = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : path.substr(0, slash);
  if (::mkdir(parent.c_str(), 0700) != 0 && errno != EEXIST) {
    return failed(path, "its directory could not be made: " + std::string{std::strerror(errno)});
  }
  // Two that start at once would both find a dead socket, and one would remove the other's.
  const files::descriptor directory{::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (directory.get() < 0) return failed(path, errno);
  if (!lock(directory.get())) return failed(path, "another process holds its directory's lock");

  const auto where = address_of(path);
  if (const auto cleared = clear(path, where); !cleared) return cleared.error();
  files::descriptor listening{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (listening.get() < 0) return failed(path, errno);
  // The file gets the socket's mode when it is made: it is never open to others.
  if (::fchmod(listening.get(), 0600) != 0) return failed(path, errno);
  if (::bind(listening.get(), reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) {
    return failed(path, errno);
  }
  struct stat made {};
  if (::lstat(path.c_str(), &made) != 0) return failed(path, errno);
  local_socket_file opened{path, -1, made.st_dev, made.st_ino};
  if (::listen(listening.get(), SOMAXCONN) != 0) return failed(path, errno);
  opened.fd_ = listening.release();
  return opened;
}

local_socket_file::local_socket_file(std::string path, int fd, dev_t device, ino_t inode)
    : path_{std::move(path)}, fd_{fd}, device_{device}, inode_{inode} {}

local_socket_file::local_socket_file(local_socket_file&& other) noexcept
    : path_{std::move(other.path_)},
      fd_{std::exchange(other.fd_, -1)},
      device_{other.device_},
      inode_{other.inode_} {
  other.path_.clear();
}

local_socket_file::~local_socket_file() {
  if (fd_ >= 0) ::close(fd_);
  if (path_.empty()) return;
  struct stat there {};
  if (::lstat(path_.c_str(), &there) == 0 && S_ISSOCK(there.st_mode) && there.st_dev == device_ &&
      there.st_ino == inode_) {
    ::unlink(path_.c_str());
  }
}

int local_socket_file::take() { return std::exchange(fd_, -1); }

std::optional<uid_t> uid_of(int connected) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connected, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer.uid;
}

}  // namespace tofud::http
