#include "daemon/client/private_address.hpp"

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <algorithm>
#include <array>

namespace tofud::client {
namespace {

namespace ip = boost::asio::ip;

bool is_within(const ip::network_v4& network, const ip::address_v4& address) {
  const auto mask = network.netmask().to_uint();
  return (address.to_uint() & mask) == (network.address().to_uint() & mask);
}

bool is_private(const ip::address_v4& address) {
  static const std::array<ip::network_v4, 14> networks{
      ip::make_network_v4("0.0.0.0/8"),       ip::make_network_v4("10.0.0.0/8"),
      ip::make_network_v4("100.64.0.0/10"),   ip::make_network_v4("127.0.0.0/8"),
      ip::make_network_v4("169.254.0.0/16"),  ip::make_network_v4("172.16.0.0/12"),
      ip::make_network_v4("192.0.0.0/24"),    ip::make_network_v4("192.0.2.0/24"),
      ip::make_network_v4("192.168.0.0/16"),  ip::make_network_v4("198.18.0.0/15"),
      ip::make_network_v4("198.51.100.0/24"), ip::make_network_v4("203.0.113.0/24"),
      ip::make_network_v4("224.0.0.0/4"),     ip::make_network_v4("240.0.0.0/4")};
  return std::any_of(networks.begin(), networks.end(),
                     [&](const auto& each) { return is_within(each, address); });
}

/// What is carried within: mapped ones, and those behind a gateway (64:ff9b::/96, RFC 6052;
/// 2002::/16, RFC 3056).
bool is_private(const ip::address_v6& address) {
  const auto bytes = address.to_bytes();
  const auto four_at = [&](std::size_t at) {
    return ip::address_v4{{bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]}};
  };
  const bool begins_with_zeros =
      std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; });
  if (begins_with_zeros) return !address.is_v4_mapped() || is_private(four_at(12));
  if (bytes[0] == 0x00 && bytes[1] == 0x64 && bytes[2] == 0xff && bytes[3] == 0x9b)
    return is_private(four_at(12));
  if (bytes[0] == 0x20 && bytes[1] == 0x02) return is_private(four_at(2));
  // Only 2000::/3 is given out, but for documentation.
  const bool is_global = (bytes[0] & 0xe0U) == 0x20;
  const bool is_documentation =
      bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] == 0x0d && bytes[3] == 0xb8;
  return !is_global || is_documentation;
}

}  // namespace

bool is_private(const boost::asio::ip::address& address) {
  return address.is_v4() ? is_private(address.to_v4()) : is_private(address.to_v6());
}

}  // namespace tofud::client
