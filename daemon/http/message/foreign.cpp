#include "daemon/http/message/foreign.hpp"

#include <algorithm>

namespace tofud::http {
namespace {

bool is_own_host(const authority& named, const request& asked, const own_names& names) {
  // A browser leaves out the port of its scheme.
  if (is_loopback_host(named.host) && (!named.port || *named.port == asked.port)) return true;
  const auto is_it = [&](const authority& own) {
    if (own.host != named.host) return false;
    const auto usual = usual_port(asked.is_secure);
    if (own.port) return named.port.value_or(usual) == *own.port;
    return !named.port || *named.port == asked.port || *named.port == usual;
  };
  return std::any_of(names.hosts.begin(), names.hosts.end(), is_it);
}

/// `named` has been found to be ours; nothing: it was not looked at.
bool is_own_origin(const origin& from, const std::optional<authority>& named,
                   const request& asked) {
  if (from.scheme != (asked.is_secure ? "https" : "http")) return false;
  // Without a TCP port there are no pages of this server's.
  if (is_loopback_host(from.host) && asked.port != 0 && from.port == asked.port &&
      (!named || is_loopback_host(named->host))) {
    return true;
  }
  return named && from.host == named->host &&
         from.port == named->port.value_or(usual_port(asked.is_secure));
}

}  // namespace

std::optional<response> refuse_foreign(request& asked, const own_names& names) {
  asked.varies_by_origin = !names.origins.empty();
  std::optional<authority> named;
  if (asked.via == transport::tcp) {
    const auto hosts = asked.count("host");
    if (hosts != 1 || asked.first("host").empty()) {
      return problem(400, hosts > 1 ? "two Host headers" : "no Host header");
    }
  }
  if (asked.via == transport::tcp || !asked.forwarded_host.empty()) {
    named = parse_authority(asked.host());
    if (!named || !is_own_host(*named, asked, names)) {
      return problem(
          421, names.hosts.empty()
                   ? "Host: this server answers only to localhost, 127.0.0.1 and [::1]"
                   : "Host: this server does not answer to that name; add it with --allow-host");
    }
  }
  bool is_listed = false;
  if (asked.count("origin") > 0) {
    const auto from = parse_origin(asked.first("origin"));
    const bool is_own = from && is_own_origin(*from, named, asked);
    const auto& listed = names.origins;
    is_listed = from && std::find(listed.begin(), listed.end(), *from) != listed.end();
    if (asked.count("origin") > 1 || (!is_own && !is_listed)) {
      return problem(403, "Origin: only this server's own pages may send requests");
    }
    if (!is_own) asked.other_page = asked.first("origin");
  }
  if (is_listed) return std::nullopt;
  for (const auto& field : asked.headers) {
    if (field.name != "sec-fetch-site") continue;
    // Who follows a link from elsewhere gets to see a page, which nothing else can read.
    const bool follows_link = asked.is_page_visit() && asked.method == "GET";
    if (equal_without_case(field.value, "cross-site") && !follows_link) {
      return problem(403, "Sec-Fetch-Site: other sites may not send requests");
    }
    // Another port of this machine is the same site: it may look, but change nothing.
    if (asked.method != "GET" && !asked.is_head() && !equal_without_case(field.value, "none") &&
        !equal_without_case(field.value, "same-origin")) {
      return problem(
          403,
          "Sec-Fetch-Site: only this server's own pages may send requests that change something");
    }
  }
  return std::nullopt;
}

}  // namespace tofud::http
