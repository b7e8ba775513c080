#include "daemon/api/feed_route.hpp"

#include "daemon/fanout/serve.hpp"
#include "daemon/http/message/cross_origin.hpp"
#include "daemon/operations/version.hpp"

#include <optional>
#include <string>
#include <utility>

namespace tofud {
namespace {

fanout::opening opening_of(const http::handover& connection) {
  const http::request& asked = connection.asked;
  fanout::opening opening;
  opening.query = asked.query;
  opening.accept = asked.joined("accept");
  if (asked.count("last-event-id") > 0)
    opening.last_event_id = std::string{asked.first("last-event-id")};
  if (asked.wants_websocket()) {
    opening.websocket = fanout::websocket_offer{std::string{asked.first("sec-websocket-key")},
                                                asked.joined("sec-websocket-protocol")};
  }
  opening.http = asked.version == http::http_version::v1_0 ? fanout::opening::version::http_1_0
                                                           : fanout::opening::version::http_1_1;
  opening.asked = asked.is_head() ? fanout::opening::method::head : fanout::opening::method::get;
  opening.head_lines = http::cross_origin_lines(asked);
  opening.read_ahead = connection.read_ahead;
  opening.ticket = connection.ticket;
  opening.permit = asked.permit;
  return opening;
}

}  // namespace

fanout::hub_options hub_options_of_this_build() {
  fanout::hub_options options;
  options.server = std::string{"tofud "} + operations::version;
  options.build = operations::build_id;
  return options;
}

void add_feed_route(http::router& routes, fanout::hub& hub) {
  routes.get_stream("/v1/stream",
                    [&hub](http::handover& connection) -> std::optional<http::response> {
                      auto answer = fanout::serve(hub, connection.socket, opening_of(connection));
                      if (!answer) return {};
                      http::response plain;
                      plain.status = answer->status;
                      plain.content_type = std::move(answer->content_type);
                      plain.body = std::move(answer->body);
                      return plain;
                    });
}

}  // namespace tofud
