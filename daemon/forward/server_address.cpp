#include "daemon/forward/server_address.hpp"

#include <boost/asio/ip/address.hpp>

#include <charconv>
#include <optional>
#include <sys/un.h>

namespace tofud::forward {
namespace {

constexpr std::string_view http = "http://", https = "https://", local = "unix:";

using parsed = boost::system::result<server_address, std::string>;

parsed refused(std::string_view text, const std::string& why) {
  return {boost::system::in_place_error, "'" + std::string{text} + "' is no server: " + why};
}

parsed parse_local(std::string_view text, std::string_view path) {
  if (!path.starts_with('/')) {
    return refused(text, "the path of a socket begins with /, as in unix:/run/tofud/tofud.sock");
  }
  // With its null, which the kernel wants.
  if (path.size() >= sizeof(sockaddr_un::sun_path) || path.find('\0') != std::string_view::npos) {
    return refused(text, "the path of a socket has at most " +
                             std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes");
  }
  return server_address{std::string{path}, "", 0};
}

std::optional<std::uint16_t> port_in(std::string_view digits) {
  std::uint16_t port = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, failed] = std::from_chars(digits.data(), end, port);
  if (failed != std::errc{} || stop != end || port == 0) return std::nullopt;
  return port;
}

parsed parse_http(std::string_view text) {
  std::string_view rest = text.substr(http.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.find_first_of("/?#@") != std::string_view::npos) {
    return refused(text, "write http://HOST:PORT and nothing behind it");
  }
  const std::size_t colon = rest.rfind(':');
  const bool bracketed = rest.starts_with('[');
  if (colon == std::string_view::npos || (bracketed && rest[colon - 1] != ']')) {
    return refused(text, "the port is missing, as in http://127.0.0.1:8638");
  }
  const auto port = port_in(rest.substr(colon + 1));
  if (!port) return refused(text, "the port is a number from 1 to 65535");
  std::string host{rest.substr(0, colon)};
  if (host == "localhost") host = "127.0.0.1";
  if (bracketed) host = host.substr(1, host.size() - 2);
  boost::system::error_code failed;
  const auto address = boost::asio::ip::make_address(host, failed);
  if (failed || !address.is_loopback()) {
    return refused(text, host + " is not this machine, and tofud sends to no other yet; write " +
                             "http://127.0.0.1:PORT or the path of a socket");
  }
  return server_address{"", address.to_string(), *port};
}

}  // namespace

std::string server_address::text() const {
  if (!path.empty()) return "unix:" + path;
  const bool six = host.find(':') != std::string::npos;
  return std::string{http} + (six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

parsed parse_server(std::string_view text) {
  if (text.starts_with(local)) return parse_local(text, text.substr(local.size()));
  if (text.starts_with('/')) return parse_local(text, text);
  if (text.starts_with(http)) return parse_http(text);
  if (text.starts_with(https)) {
    return refused(text, "tofud sends to this machine only so far, without TLS; write " +
                             std::string{http} + "127.0.0.1:PORT");
  }
  return refused(text, "write http://HOST:PORT, unix:PATH or the absolute path of a socket");
}

}  // namespace tofud::forward
