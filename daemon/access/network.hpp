// Where trusted proxies are: networks, and the Unix socket, perhaps of one user of this machine.
#pragma once

#include "protocol/text/failure.hpp"

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/system/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tofud::access {

struct unix_socket {
  bool operator==(const unix_socket&) const = default;
};
using network = std::variant<boost::asio::ip::network_v4, boost::asio::ip::network_v6, unix_socket>;

/// `10.1.0.0/16`, `fd00::/8`, an address alone, or `unix`.
text::result<network> parse_network(std::string_view text);

/// A proxy that is believed. On this machine every user can connect from where it is, so its user
/// is asked for as well.
struct proxy_place {
  network where;
  std::optional<std::uint32_t> uid{};  // nothing: whoever comes from there
  bool operator==(const proxy_place&) const = default;
};

/// What parse_network reads; of an address of loopback and of `unix` also PLACE@USER, a name or
/// number.
text::result<proxy_place> parse_proxy(std::string_view text);

/// Whoever can run a program on this machine can come from there: loopback without a user.
bool is_open_to_this_machine(const proxy_place& place);

/// `address` is http::peer's: empty for the Unix socket. An IPv4 address that an IPv6 socket saw
/// (::ffff:10.1.0.1) is in the IPv4 network.
bool holds(const network& where, std::string_view address);

}  // namespace tofud::access
