#include "daemon/api/page_routes.hpp"

#include "daemon/dashboard/assets.hpp"
#include "daemon/http/message/authority.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace tofud {
namespace {

/// Whether `Accept-Encoding` names gzip without forbidding it (`gzip;q=0`).
bool takes_gzip(const http::request& asked) {
  const std::string accepted = asked.joined("accept-encoding");
  std::string_view rest{accepted};
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view one = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t semicolon = std::min(one.find(';'), one.size());
    std::string_view weight = one.substr(semicolon);
    one = one.substr(0, semicolon);
    one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
    one = one.substr(0, one.find_last_not_of(" \t") + 1);
    if (!http::equal_without_case(one, "gzip")) continue;
    const std::size_t quality = weight.find("q=");
    return quality == std::string_view::npos ||
           weight.substr(quality + 2).find_first_not_of("0. \t") != std::string_view::npos;
  }
  return false;
}

/// Older browsers do not take 'self' for a WebSocket. By TCP the host has been checked, so it is a
/// name of ours; by the Unix socket anything may stand there.
std::string own_websocket(const http::request& asked) {
  if (!http::parse_authority(asked.host())) return "";
  return (asked.is_secure ? " wss://" : " ws://") + std::string{asked.host()};
}

std::string policy(const http::request& asked) {
  return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'" +
         own_websocket(asked) +
         "; img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'; "
         "require-trusted-types-for 'script'; trusted-types 'none'";
}

http::response answer(const dashboard::asset& asset, const http::request& asked) {
  http::response page;
  page.content_type = asset.content_type;
  std::string tag{asset.sha256.substr(0, 32)};
  if (takes_gzip(asked)) {
    page.body = asset.gzip;
    page.headers.push_back({"Content-Encoding", "gzip"});
    tag += "-gzip";
  } else {
    page.body = asset.bytes;
  }
  page.headers.push_back({"ETag", '"' + tag + '"'});
  page.headers.push_back({"Vary", "Accept-Encoding"});
  page.headers.push_back(
      {"Cache-Control", asset.immutable ? "public, max-age=31536000, immutable" : "no-cache"});
  page.headers.push_back({"Content-Security-Policy", policy(asked)});
  return page;
}

}  // namespace

void add_page_routes(http::router& routes) {
  for (const dashboard::asset& asset : dashboard::assets()) {
    routes.get(asset.path, [&asset](const http::request& asked) { return answer(asset, asked); });
  }
}

}  // namespace tofud
