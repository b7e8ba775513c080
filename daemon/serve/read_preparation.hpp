// What must be in memory before a request is routed: the rows of a run, a wall of some stacks.
#pragma once

#include "daemon/http/router.hpp"
#include "daemon/serve/kept_streams.hpp"

namespace tofud::serve {

/// `runs` outlives the routes' use.
void prepare_for_reads(http::router& routes, kept_streams& runs);

}  // namespace tofud::serve
