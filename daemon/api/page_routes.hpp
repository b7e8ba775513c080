// The page over HTTP.
#pragma once

#include "daemon/http/router.hpp"

namespace tofud {

/// `/` and what it loads: compressed for who takes that, with an ETag, script and style for ever,
/// the page itself asked for again each time, under a policy that lets nothing else run.
void add_page_routes(http::router& routes);

}  // namespace tofud
