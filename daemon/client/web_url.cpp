#include "daemon/client/web_url.hpp"

#include "daemon/client/server_address.hpp"

#include <algorithm>
#include <utility>

namespace tofud::client {

std::optional<web_url> parse_web_url(std::string_view text,
                                     std::shared_ptr<const net::tls_client> tls, plain_http plain) {
  constexpr std::string_view secure = "https://", web = "http://";
  const bool is_visible =
      std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
  const bool is_plain = plain == plain_http::taken && text.starts_with(web);
  if ((!is_plain && !text.starts_with(secure)) || !is_visible || text.find('#') != text.npos)
    return std::nullopt;
  text.remove_prefix(is_plain ? web.size() : secure.size());
  const auto host_end = std::min(text.find_first_of("/?"), text.size());
  std::string host{text.substr(0, host_end)};
  // Behind the brackets of an address.
  const auto bracket = host.rfind(']');
  const bool has_port = host.find(':', bracket == host.npos ? 0 : bracket) != host.npos;
  if (is_plain && !has_port) host += ":80";
  auto address = parse_server_address(std::string{secure} + host);
  if (!address) return std::nullopt;
  address->tls = !is_plain;
  web_url read;
  read.target = text.substr(host_end);
  if (!read.target.starts_with('/')) read.target.insert(0, 1, '/');
  read.at.host = address->host;
  read.at.port = address->port;
  read.at.header = host_header(*address);
  if (!is_plain) read.at.tls = std::move(tls);
  read.at.is_daemon = false;
  read.at.shown = to_string(*address);
  return read;
}

}  // namespace tofud::client
