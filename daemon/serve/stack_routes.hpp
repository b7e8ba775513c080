// Stacks as data, for dashboards and spreadsheets.
#pragma once

#include "daemon/http/router.hpp"
#include "daemon/serve/kept_streams.hpp"

#include <boost/asio/io_context.hpp>

namespace tofud::serve {

/// `/v1/stacks` and `/v1/stacks/NAME`: of what who asks may see. Both outlive the routes.
void add_stack_routes(http::router& routes, boost::asio::io_context& io, kept_streams& runs);

}  // namespace tofud::serve
