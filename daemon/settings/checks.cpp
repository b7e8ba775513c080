#include "daemon/settings/checks.hpp"

#include "protocol/whole_number.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <string_view>

namespace tofud::settings {
namespace {

constexpr std::string_view letters_and_digits =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool only(std::string_view text, std::string_view more) {
  return std::all_of(text.begin(), text.end(), [more](char c) {
    return letters_and_digits.find(c) != letters_and_digits.npos || more.find(c) != more.npos;
  });
}

/// AF_INET, AF_INET6, or 0.
int family_of(const std::string& address) {
  std::array<unsigned char, sizeof(in6_addr)> room;
  for (const int family : {AF_INET, AF_INET6}) {
    if (::inet_pton(family, address.c_str(), room.data()) == 1) return family;
  }
  return 0;
}

struct host_and_port {
  std::string host;  // without brackets
  std::string port;  // empty: none
  bool is_bracketed = false, has_port = false;
};

host_and_port split_port(const std::string& text) {
  host_and_port found;
  std::size_t host_end = text.rfind(':');
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == text.npos) return found;
    found.is_bracketed = true;
    found.host = text.substr(1, bracket - 1);
    if (bracket + 1 == text.size()) return found;
    if (text[bracket + 1] != ':') return {};
    host_end = bracket + 1;
  } else {
    found.host = text.substr(0, host_end);
  }
  if (host_end == text.npos) return found;
  found.has_port = true;
  found.port = text.substr(host_end + 1);
  return found;
}

bool is_host(const host_and_port& at) {
  if (at.is_bracketed) return family_of(at.host) == AF_INET6;
  return !at.host.empty() && only(at.host, "-._");
}

}  // namespace

std::string check_endpoint(const std::string& text) {
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const bool has_host = host == "localhost" || family_of(host) != 0;
  const bool has_port =
      colon < text.size() && parse_whole_number<std::uint16_t>(text.substr(colon + 1));
  if (has_host && has_port) return "";
  return "is not ADDR:PORT, such as 127.0.0.1:8638 or [::1]:8638";
}

std::string check_network(const std::string& text) {
  const std::size_t slash = text.find('/');
  const int family = family_of(text.substr(0, slash));
  const unsigned most = family == AF_INET ? 32 : 128;
  const auto length = slash == text.npos
                          ? most
                          : parse_whole_number<unsigned>(text.substr(slash + 1)).value_or(most + 1);
  if (family != 0 && length <= most) return "";
  return "is no network, such as 10.0.0.0/8 or fd00::/8";
}

std::string check_host(const std::string& text) {
  const auto at = split_port(text);
  if (is_host(at) && (!at.has_port || parse_whole_number<std::uint16_t>(at.port))) return "";
  return "is no host, such as tofud.example.com or 10.0.0.7:8638";
}

std::string check_origin(const std::string& text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (text.starts_with(scheme) && check_host(text.substr(scheme.size())).empty()) return "";
  }
  return "is no origin: scheme, host and port without a path, such as https://tofud.example.com";
}

std::string check_base_path(const std::string& text) {
  if (text.empty()) return "";
  const bool good = text.front() == '/' && text.back() != '/' && only(text, "/-._~") &&
                    text.find("//") == text.npos && text.find("/.") == text.npos;
  return good ? ""
              : "is no path in front of ours, such as /tofud: it begins with / and ends without";
}

std::string check_scopes(const std::string& text) {
  constexpr std::string_view none =
      "names no scopes; there are read, ingest and raw, parted by commas";
  std::string_view rest{text};
  for (;;) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto word = rest.substr(0, comma);
    if (word != "read" && word != "ingest" && word != "raw") return std::string{none};
    if (comma == rest.size()) return "";
    rest.remove_prefix(comma + 1);
  }
}

std::string check_header_name(const std::string& text) {
  if (only(text, "!#$%&'*+-.^_`|~")) return "";
  return "is no name of a header, such as X-Forwarded-User";
}

std::string check_word(const std::string& text) {
  return text.empty() ? "has an empty value; take it out" : "";
}

}  // namespace tofud::settings
