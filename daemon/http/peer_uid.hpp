// Whose process is at the other end of a loopback connection.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <optional>
#include <sys/types.h>

namespace tofud::http {

/// Looks connections up in the kernel: one netlink question each, /proc/net/tcp where netlink is
/// not to be had.
class peer_lookup {
 public:
  peer_lookup();
  ~peer_lookup();
  peer_lookup(const peer_lookup&) = delete;
  peer_lookup& operator=(const peer_lookup&) = delete;

  /// The user of the socket bound to `peer` and connected to `here`; nothing if it can't be told or
  /// the peer has closed already.
  std::optional<uid_t> find(const boost::asio::ip::tcp::endpoint& peer,
                            const boost::asio::ip::tcp::endpoint& here);

 private:
  int netlink_ = -1;
  unsigned asked_ = 0;
};

namespace detail {  // for tests

/// The same by reading /proc/net/tcp or tcp6.
std::optional<uid_t> find_in_proc(const boost::asio::ip::tcp::endpoint& peer,
                                  const boost::asio::ip::tcp::endpoint& here);

}  // namespace detail
}  // namespace tofud::http
