// Pages of other servers that may read answers (Fetch standard, 3.2: CORS). Who they are is a list
// (own_names::origins); whatever is not on it gets none of these headers.
#pragma once

#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"

#include <optional>
#include <string>

namespace tofud::http {

/// A browser asks whether such a page may ask: OPTIONS with Access-Control-Request-Method, which
/// `request::other_page` says is one of the list.
bool is_preflight(const request& asked);

/// Yes: the method that was asked for may be used, with the headers that this server understands.
response allow_preflight(const request& asked);

/// The lines of an answer's head that let such a page read it; empty for everybody else. Cookies go
/// along, since neither an EventSource nor a WebSocket can show a token.
std::string cross_origin_lines(const request& asked);

}  // namespace tofud::http
