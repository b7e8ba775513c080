#include "daemon/client/server_address.hpp"

#include "daemon/access/rules.hpp"
#include "daemon/client/errors.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <charconv>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace tofud::client {
namespace {

constexpr std::string_view web = "http://";
constexpr std::string_view secure = "https://";
constexpr std::string_view local = "unix:";

/// Of https, where none is said.
constexpr std::uint16_t secure_port = 443;

using read_address = text::result<server_address>;

read_address socket_at(std::string_view text, std::string_view path) {
  if (path.empty() || path.front() != '/') {
    return text::failure{error::bad_socket, text};
  }
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return text::failure{error::long_socket, text, sizeof(sockaddr_un::sun_path) - 1};
  }
  if (path.find('\0') != std::string_view::npos) return text::failure{error::zero_byte, text};
  server_address address;
  address.socket = path;
  return address;
}

bool is_of_this_machine(const std::string& host) {
  if (host == "localhost") return true;
  boost::system::error_code failed;
  const auto address = boost::asio::ip::make_address(host, failed);
  return !failed && address.is_loopback();
}

/// Letters, digits, points and hyphens, or an address.
bool is_host(const std::string& host) {
  boost::system::error_code failed;
  boost::asio::ip::make_address(host, failed);
  if (!failed) return true;
  return !host.empty() && host.size() <= 253 &&
         host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_") == std::string::npos;
}

read_address host_and_port(std::string_view text, std::string_view rest, bool tls) {
  if (rest.find_first_of("?#@") != std::string_view::npos) {
    return text::failure{error::more_than_a_place, text};
  }
  const auto base = access::read_base_path(rest.substr(std::min(rest.find('/'), rest.size())));
  if (!base) return text::failure{error::bad_path, text, base.error()};
  rest = rest.substr(0, rest.find('/'));
  const std::size_t bracket = rest.starts_with('[') ? rest.find(']') : 0;
  const std::size_t colon = bracket == std::string_view::npos ? bracket : rest.find(':', bracket);
  server_address address;
  address.tls = tls;
  address.base = *base;
  if (colon == std::string_view::npos) {
    if (!tls || bracket == std::string_view::npos) {
      return text::failure{error::no_port, text};
    }
    address.port = secure_port;
  } else {
    const std::string_view port = rest.substr(colon + 1);
    const auto read = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (read.ec != std::errc{} || read.ptr != port.data() + port.size() || address.port == 0) {
      return text::failure{error::bad_port, text};
    }
  }
  address.host = rest.substr(0, colon);
  if (bracket > 0) address.host = rest.substr(1, bracket - 1);
  for (char& c : address.host) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (!tls && !is_of_this_machine(address.host)) {
    return text::failure{error::not_encrypted, text};
  }
  if (!is_host(address.host)) return text::failure{error::bad_host, text};
  return address;
}

bool is_socket(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode);
}

}  // namespace

read_address parse_server_address(std::string_view text) {
  if (text.starts_with(web)) return host_and_port(text, text.substr(web.size()), false);
  if (text.starts_with(local)) return socket_at(text, text.substr(local.size()));
  if (text.starts_with('/')) return socket_at(text, text);
  if (text.starts_with(secure)) return host_and_port(text, text.substr(secure.size()), true);
  return text::failure{error::no_address, text};
}

std::string to_string(const server_address& address) {
  if (address.is_local()) return std::string{local} + address.socket;
  return std::string{address.tls ? secure : web} + host_header(address) + address.base;
}

text::result<std::shared_ptr<const net::tls_client>> tls_for(const server_address& address,
                                                             const spool::environment& env) {
  if (!address.tls) return std::shared_ptr<const net::tls_client>{};
  return net::tls_client::open(env("TOFUD_CA_FILE").value_or(""));
}

std::string host_header(const server_address& address) {
  if (address.is_local()) return "localhost";
  const bool is_v6 = address.host.find(':') != std::string::npos;
  return (is_v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

std::vector<std::string> default_sockets(const spool::environment& env) {
  std::vector<std::string> sockets;
  const auto runtime = env("XDG_RUNTIME_DIR");
  if (runtime && runtime->starts_with('/')) {
    // Where others may write, anybody may have put a socket.
    const std::string directory = *runtime + "/tofud";
    struct stat facts {};
    const bool is_ours = ::lstat(directory.c_str(), &facts) != 0 ||
                         ((facts.st_uid == ::geteuid() || facts.st_uid == 0) &&
                          (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0);
    if (is_ours) sockets.push_back(directory + "/tofud.sock");
  }
  sockets.emplace_back("/run/tofud/tofud.sock");
  return sockets;
}

text::result<chosen_server> choose_server(const std::string& given, bool no_server,
                                          const spool::environment& env) {
  if (no_server) return chosen_server{};
  std::string text = given;
  if (text.empty()) {
    text = env("TOFUD_SERVER").value_or("");
    if (text == "none") return chosen_server{};
  }
  if (!text.empty()) {
    const auto address = parse_server_address(text);
    if (!address) return address.error();
    return chosen_server{server_wish::named, *address};
  }
  for (const std::string& path : default_sockets(env)) {
    if (!is_socket(path)) continue;
    server_address address;
    address.socket = path;
    return chosen_server{server_wish::found, std::move(address)};
  }
  return chosen_server{};
}

}  // namespace tofud::client
