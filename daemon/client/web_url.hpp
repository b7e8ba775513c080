// An https address of a server that is no daemon of ours.
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

/// Nothing: it is no https address, or has anything but a host, a port, a path and a query.
std::optional<web_url> parse_web_url(std::string_view text,
                                     std::shared_ptr<const net::tls_client> tls);

}  // namespace tofud::client
