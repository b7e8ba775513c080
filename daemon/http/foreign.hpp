// Who may ask: requests that name this server by a loopback name, from pages of this server or from
// no page. Against DNS rebinding and cross-site WebSocket hijacking; checked before routing.
#pragma once

#include "daemon/http/request.hpp"
#include "daemon/http/response.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tofud::http {

/// `localhost`, 127.x.y.z or [::1], with `:port` or, if `port_optional`, without.
enum class port_rule { optional, required };
bool is_loopback_authority(std::string_view authority, std::uint16_t port, port_rule rule);

/// Nothing if `asked` may pass, else the answer: 400 for no Host or two, 421 for a foreign one (on
/// the Unix socket it is not looked at), 403 for a foreign Origin or a cross-site fetch, and for a
/// change that is not fetched by a page of this server. `port` is that of the TCP door, 0 if there
/// is none.
std::optional<response> refuse_foreign(const request& asked, std::uint16_t port);

}  // namespace tofud::http
