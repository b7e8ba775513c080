// Requests that were not meant for this server: under a name that is none of its own, or from a
// page of somebody else's. Against DNS rebinding and cross-site WebSocket hijacking; checked before
// routing, whoever asks.
#pragma once

#include "daemon/http/message/authority.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"

#include <optional>
#include <vector>

namespace tofud::http {

/// Beside the loopback names with the listening socket's port, which are always ours.
struct own_names {
  std::vector<authority> hosts;  // without a port: the socket's, the scheme's usual one, or none
  std::vector<origin> origins;   // of other servers whose pages may ask
};

/// Nothing if `asked` may pass, else the answer: 400 for no Host or two, 421 for a foreign one, 403
/// for a foreign Origin or a cross-site fetch, and for a change that is not fetched by a page of
/// this server. On the Unix socket Host is looked at only if a proxy has said which it was.
/// Notes in `asked` which page of another server asks.
std::optional<response> refuse_foreign(request& asked, const own_names& names = {});

}  // namespace tofud::http
