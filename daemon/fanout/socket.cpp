#include "daemon/fanout/socket.hpp"

#include "protocol/text/limits.hpp"

#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace tofud::fanout {
namespace {

void set(int fd, int level, int option, int value) {
  (void)::setsockopt(fd, level, option, &value, sizeof value);
}

}  // namespace

void bound_kernel_buffers(stream_socket& socket) {
  const int fd = socket.native_handle();
  set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  // The kernel doubles what it is told, to count its own overhead.
  set(fd, SOL_SOCKET, SO_SNDBUF, limits::send_buffer_bytes / 2);
  set(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, limits::unsent_bytes);
}

int unacknowledged(stream_socket& socket) {
  int bytes = 0;
  if (::ioctl(socket.native_handle(), SIOCOUTQ, &bytes) != 0) return 0;
  return bytes;
}

}  // namespace tofud::fanout
