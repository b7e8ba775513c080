#include "daemon/fanout/serve.hpp"

#include "daemon/fanout/stream_session.hpp"
#include "daemon/fanout/websocket_subscriber.hpp"
#include "daemon/http/message/cross_origin.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/text/ascii.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace tofud::fanout {
namespace {

constexpr std::string_view subprotocol{"tofud.v1"};

/// Takes the next element off a comma-separated list.
std::string_view next_element(std::string_view& list) {
  const auto comma = list.find(',');
  const auto element = text::trimmed(list.substr(0, comma));
  list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  return element;
}

bool offers_ours(std::string_view protocols) {
  while (!protocols.empty()) {
    if (next_element(protocols) == subprotocol) return true;
  }
  return false;
}

/// SSE if it is named, lines if anything of ours would do, nothing if only other types are named.
std::optional<framing> accepted_framing(std::string_view accept) {
  if (text::trimmed(accept).empty()) return framing::lines;
  std::optional<framing> found;
  while (!accept.empty()) {
    auto element = next_element(accept);
    const auto type = text::trimmed(element.substr(0, element.find(';')));
    element.remove_prefix(std::min(element.find(';'), element.size()));
    const auto quality = element.find("q=0");
    if (quality != std::string_view::npos &&
        element.find_first_of("123456789", quality + 3) == std::string_view::npos) {
      continue;
    }
    if (type == "text/event-stream") return framing::sse;
    for (const auto* ours : {"*/*", "application/*", "application/x-ndjson", "application/ndjson",
                             "application/json", "application/jsonl", "text/*", "text/plain"}) {
      if (type == ours) found = framing::lines;
    }
  }
  return found;
}

http::response without_body(int status, std::string content_type) {
  http::response answer;
  answer.status = status;
  answer.content_type = std::move(content_type);
  return answer;
}

}  // namespace

http::response problem(const refusal& why) {
  http::response answer;
  answer.status = why.code - 4000;
  answer.body = "{\"code\":" + std::to_string(why.code) + ",\"message\":";
  json::append_quoted(answer.body, why.message);
  answer.body += "}\n";
  return answer;
}

std::optional<http::response> serve(hub& hub, http::handover& connection, viewer who) {
  const http::request& asked = connection.asked;
  std::optional<std::string> last_event_id;
  if (asked.count("last-event-id") > 0) last_event_id = std::string{asked.first("last-event-id")};
  auto admitted = hub.admit(asked.query, last_event_id, std::move(who));
  if (asked.upgrade) {
    if (asked.parameter("at"))
      admitted = hub.refuse(
          {close_codes::bad_request, "at= is answered to a plain GET, not on a WebSocket"});
    std::string chosen;
    const std::string offered = asked.joined("sec-websocket-protocol");
    if (offers_ours(offered)) {
      chosen = subprotocol;
    } else if (!text::trimmed(offered).empty()) {
      admitted =
          hub.refuse({close_codes::not_acceptable,
                      "Sec-WebSocket-Protocol: this server speaks " + std::string{subprotocol}});
    }
    const auto session = std::make_shared<websocket_subscriber>(
        std::move(connection.socket), std::move(admitted),
        websocket_limits{hub.options().client_message_bytes, 0,
                         hub.options().client_frames_per_second},
        connection.ticket);
    session->start(asked.upgrade, std::move(connection.read_ahead), std::move(chosen));
    return std::nullopt;
  }

  const auto frames = accepted_framing(asked.joined("accept"));
  if (!frames) {
    return problem({close_codes::not_acceptable,
                    "Accept: the feed is available as text/event-stream or application/x-ndjson"});
  }
  if (!admitted.topic) return problem(admitted.refused);
  if (admitted.nothing_left && *frames == framing::sse) return without_body(204, "");
  if (asked.is_head()) {
    return without_body(200,
                        *frames == framing::sse ? "text/event-stream" : "application/x-ndjson");
  }
  const auto end =
      asked.version == http::http_version::v1_0 ? body_end::connection : body_end::chunk;
  std::make_shared<stream_session>(std::move(connection.socket), std::move(admitted), *frames, end,
                                   http::cross_origin_lines(asked) + http::token_line(asked),
                                   hub.options().client_message_bytes, connection.ticket)
      ->start();
  return std::nullopt;
}

}  // namespace tofud::fanout
