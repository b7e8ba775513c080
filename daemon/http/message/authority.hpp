// HOST:PORT and origins as values that can be compared: one spelling for each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::http {

/// Of a `Host` header. `host` is a name in lower case, a dotted IPv4 address, or an IPv6 address in
/// brackets as RFC 5952 writes it.
struct authority {
  std::string host;
  std::optional<std::uint16_t> port;
  bool operator==(const authority&) const = default;
};

/// Nothing for what is no HOST or HOST:PORT: a user, a path, an empty label, a trailing dot,
/// letters beyond ASCII, percent-encoding, a zone, a port with a sign or a leading zero. Names are
/// not resolved: `127.1` is a name like any other.
std::optional<authority> parse_authority(std::string_view text);

/// RFC 6454, 4; of http and https only. `port` is there always, 80 or 443 if none was written.
struct origin {
  std::string scheme, host;
  std::uint16_t port = 0;
  bool operator==(const origin&) const = default;
};

/// Nothing for anything else, `null` included.
std::optional<origin> parse_origin(std::string_view text);

/// 80, or 443 with TLS.
std::uint16_t usual_port(bool is_secure);

/// `localhost`, 127.x.y.z or [::1]; `host` is that of an authority.
bool is_loopback_host(std::string_view host);

}  // namespace tofud::http
