// `/runs` and `/wall/plain`: what this daemon has, as pages that need no script.
#pragma once

#include "daemon/http/router.hpp"
#include "daemon/serve/kept_streams.hpp"

#include <boost/asio/io_context.hpp>

namespace tofud::serve {

/// `runs` outlives the routes' use.
void add_plain_routes(http::router& routes, boost::asio::io_context& io, kept_streams& runs);

}  // namespace tofud::serve
