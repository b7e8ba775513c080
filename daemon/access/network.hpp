// Where trusted proxies are: networks, and the Unix socket.
#pragma once

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <variant>

namespace tofud::access {

struct unix_socket {
  bool operator==(const unix_socket&) const = default;
};
using network = std::variant<boost::asio::ip::network_v4, boost::asio::ip::network_v6, unix_socket>;

/// `10.1.0.0/16`, `fd00::/8`, an address alone, or `unix`. The failure is a sentence.
boost::system::result<network, std::string> parse_network(std::string_view text);

/// `address` is http::peer's: empty for the Unix socket. An IPv4 address that an IPv6 socket saw
/// (::ffff:10.1.0.1) is in the IPv4 network.
bool holds(const network& where, std::string_view address);

}  // namespace tofud::access
