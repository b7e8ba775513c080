#include "daemon/access/network.hpp"

#include "daemon/access/errors.hpp"
#include "protocol/text/whole_number.hpp"

#include <boost/asio/ip/address.hpp>

#include <array>
#include <optional>
#include <pwd.h>

namespace tofud::access {
namespace {

namespace ip = boost::asio::ip;

text::failure refusal(std::string_view text) { return {error::no_network, text}; }

std::optional<ip::address> address_of(std::string_view text) {
  boost::system::error_code failed;
  auto address = ip::make_address(text, failed);
  if (failed || text.find('%') != std::string_view::npos) return std::nullopt;
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = ip::make_address_v4(ip::v4_mapped, address.to_v6());
  }
  return address;
}

bool is_loopback(const network& where) {
  if (const auto* v4 = std::get_if<ip::network_v4>(&where)) return v4->address().is_loopback();
  if (const auto* v6 = std::get_if<ip::network_v6>(&where)) return v6->address().is_loopback();
  return false;
}

std::optional<std::uint32_t> uid_of(const std::string& user) {
  if (const auto number = text::parse_whole_number<std::uint32_t>(user)) return number;
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16384> room;
  if (::getpwnam_r(user.c_str(), &entry, room.data(), room.size(), &found) != 0) return {};
  if (found == nullptr) return std::nullopt;
  return entry.pw_uid;
}

}  // namespace

text::result<network> parse_network(std::string_view text) {
  if (text == "unix") return network{unix_socket{}};
  const auto slash = text.find('/');
  const auto address = address_of(text.substr(0, slash));
  if (!address) return refusal(text);
  const unsigned most = address->is_v4() ? 32 : 128;
  unsigned bits = most;
  if (slash != std::string_view::npos) {
    const auto read = text::parse_whole_number<unsigned>(text.substr(slash + 1));
    if (!read || *read > most) return refusal(text);
    bits = *read;
  }
  if (address->is_v4())
    return network{ip::network_v4{address->to_v4(), static_cast<unsigned short>(bits)}.canonical()};
  return network{ip::network_v6{address->to_v6(), static_cast<unsigned short>(bits)}.canonical()};
}

text::result<proxy_place> parse_proxy(std::string_view text) {
  const auto at = text.find('@');
  const auto where = parse_network(text.substr(0, at));
  if (!where) return refusal(text);
  if (at == std::string_view::npos) return proxy_place{*where};
  if (!is_loopback(*where) && !std::holds_alternative<unix_socket>(*where)) {
    return text::failure{error::distant_process, text};
  }
  const std::string user{text.substr(at + 1)};
  const auto uid = user.empty() ? std::nullopt : uid_of(user);
  if (!uid) return text::failure{error::no_user, text, user};
  return proxy_place{*where, uid};
}

bool is_open_to_this_machine(const proxy_place& place) {
  return is_loopback(place.where) && !place.uid;
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
