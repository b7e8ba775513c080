#include "daemon/http/foreign.hpp"

#include "protocol/whole_number.hpp"

#include <arpa/inet.h>
#include <string>

namespace tofud::http {
namespace {

bool is_loopback_v4(std::string_view host) {
  in_addr address{};
  const std::string text{host};
  return ::inet_pton(AF_INET, text.c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24U) == 127;
}

bool is_loopback_v6(std::string_view host) {
  in6_addr address{};
  const std::string text{host};
  return ::inet_pton(AF_INET6, text.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
}

}  // namespace

bool is_loopback_authority(std::string_view authority, std::uint16_t port, port_rule rule) {
  if (authority.find('\0') != std::string_view::npos) return false;  // inet_pton would stop there
  std::string_view host, rest;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return false;
    host = authority.substr(1, end - 1);
    rest = authority.substr(end + 1);
    if (!is_loopback_v6(host)) return false;
  } else {
    const auto colon = authority.find(':');
    host = authority.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view{} : authority.substr(colon);
    if (!equal_without_case(host, "localhost") && !is_loopback_v4(host)) return false;
  }
  // A browser leaves out the port of its scheme, which is 80.
  if (rest.empty()) return rule == port_rule::optional || port == 80;
  return rest.starts_with(':') && parse_whole_number<std::uint16_t>(rest.substr(1)) == port;
}

std::optional<response> refuse_foreign(const request& asked, std::uint16_t port) {
  if (asked.via == transport::tcp) {
    const auto hosts = asked.count("host");
    if (hosts != 1 || asked.first("host").empty()) {
      return problem(400, hosts > 1 ? "two Host headers" : "no Host header");
    }
    if (!is_loopback_authority(asked.first("host"), port, port_rule::optional)) {
      return problem(421, "Host: this server answers only to localhost, 127.0.0.1 and [::1]");
    }
  }
  if (asked.count("origin") > 0) {
    const std::string_view scheme{asked.encrypted ? "https://" : "http://"};
    const auto origin = asked.first("origin");
    // Without a TCP port there are no pages of this server's.
    if (port == 0 || asked.count("origin") > 1 || !origin.starts_with(scheme) ||
        !is_loopback_authority(origin.substr(scheme.size()), port, port_rule::required)) {
      return problem(403, "Origin: only this server's own pages may ask");
    }
  }
  for (const auto& field : asked.headers) {
    if (field.name != "sec-fetch-site") continue;
    if (equal_without_case(field.value, "cross-site")) {
      return problem(403, "Sec-Fetch-Site: other sites may not ask");
    }
    // Another port of this machine is the same site: it may look, but change nothing.
    if (asked.method != "GET" && !asked.is_head() && !equal_without_case(field.value, "none") &&
        !equal_without_case(field.value, "same-origin")) {
      return problem(403, "Sec-Fetch-Site: only this server's own pages may change anything");
    }
  }
  return std::nullopt;
}

}  // namespace tofud::http
