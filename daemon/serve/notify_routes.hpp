// Who is told of what, for who runs the daemon: rules, messages that wait, another try.
#pragma once

#include "daemon/http/router.hpp"
#include "daemon/notify/sender.hpp"

namespace tofud::serve {

/// `GET /v1/notifications`, `POST /v1/notifications/retry` (`id=`; all without it) and
/// `POST /v1/notifications/test` (`rule=`). `to` outlives the routes.
void add_notify_routes(http::router& routes, notify::sender& to);

}  // namespace tofud::serve
