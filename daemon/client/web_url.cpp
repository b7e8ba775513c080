#include "daemon/client/web_url.hpp"

#include "daemon/client/server_address.hpp"

#include <algorithm>
#include <utility>

namespace tofud::client {

std::optional<web_url> parse_web_url(std::string_view text,
                                     std::shared_ptr<const net::tls_client> tls) {
  constexpr std::string_view scheme = "https://";
  const bool is_visible =
      std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (!text.starts_with(scheme) || !is_visible || text.find('#') != text.npos) return std::nullopt;
  const auto host_end = std::min(text.find_first_of("/?", scheme.size()), text.size());
  const auto address = parse_server_address(text.substr(0, host_end));
  if (!address) return std::nullopt;
  web_url read;
  read.target = text.substr(host_end);
  if (!read.target.starts_with('/')) read.target.insert(0, 1, '/');
  read.at.host = address->host;
  read.at.port = address->port;
  read.at.header = host_header(*address);
  read.at.tls = std::move(tls);
  read.at.is_daemon = false;
  read.at.shown = to_string(*address);
  return read;
}

}  // namespace tofud::client
