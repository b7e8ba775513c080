// `GET /v1/stream`: a request that becomes a subscriber.
#pragma once

#include "daemon/fanout/hub.hpp"
#include "daemon/http/router.hpp"

namespace tofud {

/// What the feed says of this build in `hello`.
fanout::hub_options hub_options_of_this_build();

/// `hub` outlives the routes' use.
void add_feed_route(http::router& routes, fanout::hub& hub);

}  // namespace tofud
