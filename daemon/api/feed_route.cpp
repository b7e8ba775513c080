#include "daemon/api/feed_route.hpp"

#include "daemon/fanout/serve.hpp"
#include "daemon/operations/version.hpp"

#include <string>

namespace tofud {
fanout::hub_options hub_options_of_this_build() {
  fanout::hub_options options;
  options.server = std::string{"tofud "} + operations::version;
  options.build = operations::build_id;
  return options;
}

void add_feed_route(http::router& routes, fanout::hub& hub) {
  routes.get_stream("/v1/stream",
                    [&hub](http::handover& connection) { return fanout::serve(hub, connection); });
}

}  // namespace tofud
