// Joins the http room to the fan-out, as the pipeline does.
#pragma once

#include "daemon/fanout/serve.hpp"
#include "daemon/http/router.hpp"

#include <optional>
#include <utility>

namespace tofud::tests {

inline fanout::opening opening_of(http::handover& giving) {
  const auto& asked = giving.asked;
  fanout::opening request;
  request.query = asked.query;
  request.accept = asked.joined("accept");
  if (asked.count("last-event-id") > 0) {
    request.last_event_id = std::string{asked.first("last-event-id")};
  }
  if (asked.wants_websocket()) {
    request.websocket = fanout::websocket_offer{std::string{asked.first("sec-websocket-key")},
                                                asked.joined("sec-websocket-protocol")};
  }
  if (asked.version == http::http_version::v1_0) request.http = fanout::opening::version::http_1_0;
  if (asked.is_head()) request.asked = fanout::opening::method::head;
  request.read_ahead = std::move(giving.read_ahead);
  request.ticket = giving.ticket;
  return request;
}

inline http::router::stream feed_route(fanout::hub& hub) {
  return [&hub](http::handover& giving) -> std::optional<http::response> {
    auto plain = fanout::serve(hub, giving.socket, opening_of(giving));
    if (!plain) return std::nullopt;
    http::response answer;
    answer.status = plain->status;
    answer.content_type = std::move(plain->content_type);
    answer.body = std::move(plain->body);
    return answer;
  };
}

}  // namespace tofud::tests
