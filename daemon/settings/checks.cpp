#include "daemon/settings/checks.hpp"

#include "daemon/access/network.hpp"
#include "daemon/access/reach.hpp"
#include "daemon/access/rules.hpp"
#include "daemon/access/scopes.hpp"
#include "daemon/archive/place.hpp"
#include "daemon/client/web_url.hpp"
#include "daemon/cluster/link.hpp"
#include "daemon/notify/rule.hpp"
#include "daemon/oidc/errors.hpp"
#include "daemon/oidc/provider.hpp"
#include "protocol/text/whole_number.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdint>

namespace tofud::settings {
namespace {

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> room;
  return ::inet_pton(AF_INET, text.c_str(), room.data()) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), room.data()) == 1;
}

std::string unless(bool good, const char* why) { return good ? "" : why; }

}  // namespace

std::string check_endpoint(const std::string& text) {
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const bool has_host = host == "localhost" || is_address(host);
  const bool has_port =
      colon < text.size() && text::parse_whole_number<std::uint16_t>(text.substr(colon + 1));
  return unless(has_host && has_port, "is not ADDR:PORT, such as 127.0.0.1:8638 or [::1]:8638");
}

std::string check_proxy(const std::string& text) {
  return unless(access::parse_proxy(text).has_value(),
                "is not a network such as 10.0.0.0/8 or fd00::/8, an address, or unix; a user of "
                "this machine may follow after @, as in 127.0.0.1@www-data");
}

std::string check_group_stacks(const std::string& text) {
  return unless(
      access::read_group_stacks(text).has_value(),
      "says of no group which stacks it sees; write GROUP=PATTERN, such as net-team=net/*");
}

std::string check_host(const std::string& text) {
  return unless(
      access::read_host(text).has_value(),
      "is not a host such as tofud.example.com or 10.0.0.7:8638 (names beyond ASCII as xn--…)");
}

std::string check_origin(const std::string& text) {
  return unless(access::read_origin(text).has_value(),
                "is not an origin; write scheme, host and port without a path, such as "
                "https://tofud.example.com");
}

std::string check_base_path(const std::string& text) {
  return unless(access::read_base_path(text).has_value(),
                "is not a base path; write /NAME with letters, digits and -_.~");
}

std::string check_scopes(const std::string& text) {
  return unless(access::parse_scopes(text).has_value(),
                "is not a list of scopes; write read, ingest and raw, separated by commas");
}

std::string check_header_name(const std::string& text) {
  return unless(
      text.empty() || access::read_header_name(text).has_value(),
      "is not a header name such as X-Forwarded-User, or a header that cannot name a user");
}

std::string check_claim_pattern(const std::string& text) {
  const auto read = oidc::read_claim_pattern(text);
  if (!read && read.error().is(oidc::error::any_claim))
    return "fits whatever the claim is; leave it out, or write what it has to be";
  return unless(read.has_value(),
                "says of no claim what it has to be; write CLAIM=PATTERN, such as "
                "repository=acme/*");
}

std::string check_stack_template(const std::string& text) {
  return unless(oidc::read_stack_template(text).has_value(),
                "is not a pattern for stacks; write one such as github.com/{repository}//*, with "
                "names of claims in braces");
}

std::string check_label(const std::string& text) {
  access::reach any;
  return unless(any.add_label(text).empty(), "is not a label; write KEY=VALUE");
}

std::string check_issuer(const std::string& text) {
  return unless(oidc::read_issuer(text).has_value(),
                "is not an issuer; write https://NAME, as it stands in the tokens");
}

std::string check_login_scopes(const std::string& text) {
  return unless(oidc::read_login_scopes(text).has_value(),
                "has no openid; write such as openid profile email groups");
}

std::string check_algorithm(const std::string& text) {
  return unless(oidc::read_algorithm(text).has_value(),
                "is not an algorithm that may be allowed; use RS256, RS384, RS512, PS256, PS384, "
                "PS512, ES256, ES384 or ES512");
}

std::string check_occasion(const std::string& text) {
  return unless(
      notify::parse_occasion(text).has_value(),
      "is nothing to be told of; use failed, recovered, lost, waiting, overrun, drift and "
      "destroy");
}

std::string check_stack_pattern(const std::string& text) {
  access::reach any;
  return unless(any.add_stack(text).empty(),
                "is not a pattern for stacks; write one such as net/* (* stands for any characters "
                "but /, at the end for all that follows)");
}

std::string check_mail_address(const std::string& text) {
  return unless(notify::is_mail_address(text), "is not an address of mail");
}

std::string check_archive(const std::string& text) {
  return unless(text.empty() || archive::check_place(text).empty(),
                "is no place for an archive; write an absolute path, or s3://BUCKET or "
                "s3://BUCKET/PREFIX");
}

std::string check_otlp_endpoint(const std::string& text) {
  return unless(
      text.empty() || client::parse_web_url(text, nullptr, client::plain_http::taken).has_value(),
      "is not the address of a collector; write http://HOST:PORT or https://HOST:PORT");
}

std::string check_nats_server(const std::string& text) {
  return unless(cluster::check_server(text).empty(),
                "is not the address of a NATS server; write nats://HOST:PORT or tls://HOST:PORT "
                "(users, passwords and keys stand in files)");
}

std::string check_cluster_name(const std::string& text) {
  return unless(cluster::is_name(text),
                "is not a name for a cluster; write at most 32 letters, digits, - and _");
}

std::string check_archive_endpoint(const std::string& text) {
  return unless(
      text.empty() || archive::check_endpoint(text).empty(),
      "is not the address of an S3 service; write https://HOST or https://HOST:PORT (http "
      "only for a service on this machine)");
}

std::string check_region(const std::string& text) {
  return unless(!text.empty() && std::all_of(text.begin(), text.end(),
                                             [](char c) {
                                               return (c >= 'a' && c <= 'z') ||
                                                      (c >= '0' && c <= '9') || c == '-';
                                             }),
                "is not a region; write one such as eu-central-1");
}

std::string check_word(const std::string& text) {
  return unless(!text.empty(), "has an empty value; remove it");
}

}  // namespace tofud::settings
