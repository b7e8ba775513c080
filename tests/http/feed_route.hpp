// Joins HTTP to the fan-out, as the program does.
#pragma once

#include "daemon/fanout/serve.hpp"
#include "daemon/http/router.hpp"

namespace tofud::tests {

inline http::router::stream feed_route(fanout::hub& hub) {
  return
      [&hub](http::handover& giving) { return fanout::serve(hub, giving, {giving.asked.permit}); };
}

}  // namespace tofud::tests
