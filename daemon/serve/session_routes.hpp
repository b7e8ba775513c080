// Logging a browser in and out.
#pragma once

#include "daemon/access/gate.hpp"
#include "daemon/http/router.hpp"
#include "daemon/oidc/logins.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <string>

namespace tofud::serve {

/// `POST`, `GET` and `DELETE /v1/session`, `POST /v1/session/links`, both halves of a login at an
/// identity provider, and the script of the page to log in. `page` is the address of the pages,
/// empty if there is none; `ended` is called when a session was. The others outlive the routes.
void add_session_routes(http::router& routes, boost::asio::io_context& io, access::gate& by,
                        oidc::logins& logins, std::function<std::string()> page,
                        std::function<void()> ended);

}  // namespace tofud::serve
