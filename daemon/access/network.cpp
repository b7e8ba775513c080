#include "daemon/access/network.hpp"

#include "protocol/whole_number.hpp"

#include <boost/asio/ip/address.hpp>

#include <optional>

namespace tofud::access {
namespace {

namespace ip = boost::asio::ip;

std::string refusal(std::string_view text) {
  return "'" + std::string{text} +
         "' is no network: it is ADDRESS/BITS such as 10.1.0.0/16, an address, or unix";
}

std::optional<ip::address> address_of(std::string_view text) {
  boost::system::error_code failed;
  auto address = ip::make_address(text, failed);
  if (failed || text.find('%') != std::string_view::npos) return std::nullopt;
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = ip::make_address_v4(ip::v4_mapped, address.to_v6());
  }
  return address;
}

}  // namespace

boost::system::result<network, std::string> parse_network(std::string_view text) {
  if (text == "unix") return network{unix_socket{}};
  const auto slash = text.find('/');
  const auto address = address_of(text.substr(0, slash));
  if (!address) return refusal(text);
  const unsigned most = address->is_v4() ? 32 : 128;
  unsigned bits = most;
  if (slash != std::string_view::npos) {
    const auto read = parse_whole_number<unsigned>(text.substr(slash + 1));
    if (!read || *read > most) return refusal(text);
    bits = *read;
  }
  if (address->is_v4())
    return network{ip::network_v4{address->to_v4(), static_cast<unsigned short>(bits)}.canonical()};
  return network{ip::network_v6{address->to_v6(), static_cast<unsigned short>(bits)}.canonical()};
}

bool holds(const network& where, std::string_view address) {
  if (address.empty()) return std::holds_alternative<unix_socket>(where);
  const auto found = address_of(address);
  if (!found) return false;
  if (const auto* v4 = std::get_if<ip::network_v4>(&where)) {
    return found->is_v4() && ip::network_v4{found->to_v4(), v4->prefix_length()}.canonical() == *v4;
  }
  if (const auto* v6 = std::get_if<ip::network_v6>(&where)) {
    return found->is_v6() && ip::network_v6{found->to_v6(), v6->prefix_length()}.canonical() == *v6;
  }
  return false;
}

}  // namespace tofud::access
