// Logging a browser in and out.
#pragma once

#include "daemon/access/gate.hpp"
#include "daemon/http/router.hpp"

#include <functional>
#include <string>

namespace tofud::serve {

/// `POST`, `GET` and `DELETE /v1/session`, `POST /v1/session/links`, and the script of the page to
/// log in. `page` is the address of the pages, empty if there is none; `ended` is called when a
/// session was. `by` outlives the routes.
void add_session_routes(http::router& routes, access::gate& by, std::function<std::string()> page,
                        std::function<void()> ended);

}  // namespace tofud::serve
