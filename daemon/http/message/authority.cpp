#include "daemon/http/message/authority.hpp"

#include "protocol/text/ascii.hpp"
#include "protocol/text/whole_number.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>

namespace tofud::http {
namespace {

namespace ip = boost::asio::ip;

bool is_of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/// In lower case; empty if it is no name.
std::string name_of(std::string_view text) {
  constexpr std::size_t longest = 253;  // RFC 1035, 2.3.4
  std::string name{text};
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return text::lower(c); });
  const bool fits = !name.empty() && name.size() <= longest &&
                    std::all_of(name.begin(), name.end(), is_of_a_name) && name.front() != '.' &&
                    name.back() != '.' && name.find("..") == std::string::npos;
  return fits ? name : "";
}

/// `text` is what stands in brackets.
std::string v6_of(std::string_view text) {
  if (text.find_first_not_of("0123456789abcdefABCDEF:.") != std::string_view::npos) return "";
  boost::system::error_code failed;
  const auto address = ip::make_address_v6(text, failed);
  return failed ? "" : "[" + address.to_string() + "]";
}

std::optional<std::uint16_t> port_of(std::string_view text) {
  if (text.starts_with('0')) return std::nullopt;
  return text::parse_whole_number<std::uint16_t>(text);
}

}  // namespace

std::optional<authority> parse_authority(std::string_view text) {
  authority found;
  std::size_t end = 0;
  if (text.starts_with('[')) {
    end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    found.host = v6_of(text.substr(1, end - 1));
    ++end;
  } else {
    end = std::min(text.find(':'), text.size());
    found.host = name_of(text.substr(0, end));
  }
  if (found.host.empty()) return std::nullopt;
  const std::string_view rest = text.substr(end);
  if (rest.empty()) return found;
  if (!rest.starts_with(':')) return std::nullopt;
  found.port = port_of(rest.substr(1));
  if (!found.port) return std::nullopt;
  return found;
}

std::optional<origin> parse_origin(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) return std::nullopt;
  std::string scheme{text.substr(0, colon)};
  std::transform(scheme.begin(), scheme.end(), scheme.begin(),
                 [](char c) { return text::lower(c); });
  if (scheme != "http" && scheme != "https") return std::nullopt;
  const auto at = parse_authority(text.substr(colon + 3));
  if (!at) return std::nullopt;
  return origin{scheme, at->host, at->port.value_or(usual_port(scheme == "https"))};
}

std::uint16_t usual_port(bool is_secure) { return is_secure ? 443 : 80; }

bool is_loopback_host(std::string_view host) {
  if (host == "localhost" || host == "[::1]") return true;
  boost::system::error_code failed;
  const auto address = ip::make_address_v4(host, failed);
  return !failed && address.is_loopback();
}

}  // namespace tofud::http
