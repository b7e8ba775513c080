// `GET /v1/stream`: a request that becomes a subscriber, or asks for a past moment (`at=`).
#pragma once

#include "daemon/api/run_reads.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/http/router.hpp"

#include <functional>

namespace tofud {

/// What the feed says of this build in `hello`.
fanout::hub_options hub_options_of_this_build();

/// Who asks, and what he may see of it.
using viewer_finder = std::function<fanout::viewer(const http::request& asked)>;

/// `hub` and `reads` outlive the routes' use.
void add_feed_route(http::router& routes, fanout::hub& hub, const viewer_finder& viewers,
                    const run_finder& find, long_reads& reads, const past_estimate_maker& expected);

}  // namespace tofud
