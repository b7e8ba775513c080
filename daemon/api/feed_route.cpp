#include "daemon/api/feed_route.hpp"

#include "daemon/api/moment_reads.hpp"
#include "daemon/fanout/serve.hpp"
#include "daemon/operations/version.hpp"

#include <optional>
#include <string>
#include <utility>

namespace tofud {
fanout::hub_options hub_options_of_this_build() {
  fanout::hub_options options;
  options.server = std::string{"tofud "} + operations::version;
  options.build = operations::build_id;
  return options;
}

void add_feed_route(http::router& routes, fanout::hub& hub, const viewer_finder& viewers,
                    const run_finder& find, long_reads& reads,
                    const past_estimate_maker& expected) {
  routes.get_stream("/v1/stream",
                    [&hub, viewers, find, &reads,
                     expected](http::handover& connection) -> std::optional<http::response> {
                      const http::request& asked = connection.asked;
                      const auto at = asked.parameter("at");
                      if (!at || asked.upgrade)
                        return fanout::serve(hub, connection, viewers(asked));
                      auto admitted = hub.admit(asked.query, std::nullopt, viewers(asked));
                      if (!admitted.topic) return fanout::problem(admitted.refused);
                      const auto run =
                          find(asked.parameter("run").value_or(""), access::asking(asked));
                      if (!run) return http::problem(404, "no such run; /v1/runs lists them");
                      return lines_at(*run, std::move(admitted), *at, reads, expected);
                    });
}

}  // namespace tofud
