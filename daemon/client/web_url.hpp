// An address of the web of a server that is no daemon of ours.
#pragma once

#include "daemon/client/place.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::client {

struct web_url {
  place at;
  std::string target;  // path and query
};

/// Whether http will do as well: what is sent is no secret to who is on the way.
enum class plain_http : bool { refused, taken };

/// Nothing: it is no https address, or has anything but a host, a port, a path and a query. `tls`
/// is for https.
std::optional<web_url> parse_web_url(std::string_view text,
                                     std::shared_ptr<const net::tls_client> tls,
                                     plain_http plain = plain_http::refused);

}  // namespace tofud::client
