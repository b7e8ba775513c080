#include "daemon/operations/given_sockets.hpp"

#include "daemon/operations/errors.hpp"
#include "daemon/operations/systemd_library.hpp"

#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>

namespace tofud::operations {
namespace {

/// The names of LISTEN_FDNAMES, to be freed one by one.
class names {
 public:
  names() = default;
  names(const names&) = delete;
  names& operator=(const names&) = delete;
  ~names() {
    for (char** each = all_; each != nullptr && *each != nullptr; ++each) std::free(*each);
    std::free(static_cast<void*>(all_));
  }
  char*** place() { return &all_; }
  const char* at(int i) const { return all_ == nullptr ? "" : all_[i]; }

 private:
  char** all_ = nullptr;
};

std::string path_of(int fd) {
  sockaddr_un where{};
  socklen_t size = sizeof where;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&where), &size) != 0) return "";
  if (size <= offsetof(sockaddr_un, sun_path) || where.sun_path[0] == '\0') return "";
  return where.sun_path;
}

}  // namespace

text::result<std::vector<given_socket>> take_given_sockets() {
  if (std::getenv("LISTEN_FDS") == nullptr) return std::vector<given_socket>{};
  const auto* library = systemd();
  if (library == nullptr) return text::failure{error::no_sockets, no_systemd};
  names said;
  const int count = library->listen_fds_with_names(1, said.place());
  if (count < 0) {
    return text::failure{error::no_sockets, std::strerror(-count)};
  }
  std::vector<given_socket> taken;
  for (int i = 0; i < count; ++i) {
    given_socket each;
    each.fd = SD_LISTEN_FDS_START + i;
    each.name = said.at(i);
    if (library->is_socket(each.fd, AF_UNIX, SOCK_STREAM, 1) > 0) {
      each.what = given_socket::kind::local;
      each.path = path_of(each.fd);
    } else if (library->is_socket(each.fd, AF_INET, SOCK_STREAM, 1) > 0 ||
               library->is_socket(each.fd, AF_INET6, SOCK_STREAM, 1) > 0) {
      each.what = given_socket::kind::tcp;
    } else {
      return text::failure{error::no_stream_socket, each.fd, each.name};
    }
    taken.push_back(std::move(each));
  }
  return taken;
}

}  // namespace tofud::operations
