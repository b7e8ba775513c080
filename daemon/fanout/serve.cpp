#include "daemon/fanout/serve.hpp"

#include "daemon/fanout/stream_session.hpp"
#include "daemon/fanout/websocket_subscriber.hpp"
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

plain_answer problem(const refusal& why) {
  std::string body = "{\"code\":" + std::to_string(why.code) + ",\"message\":";
  json::append_quoted(body, why.message);
  body += "}\n";
  return {why.code - 4000, "application/json", std::move(body)};
}

}  // namespace

std::optional<plain_answer> serve(hub& hub, stream_socket& socket, opening request) {
  auto admitted = hub.admit(request.query, request.last_event_id, std::move(request.permit));
  if (request.websocket) {
    std::string chosen;
    const std::string_view offered{request.websocket->protocols};
    if (offers_ours(offered)) {
      chosen = subprotocol;
    } else if (!text::trimmed(offered).empty()) {
      admitted = hub.refuse({close_codes::not_acceptable,
                             "Sec-WebSocket-Protocol: this is " + std::string{subprotocol}});
    }
    auto ticket = std::exchange(request.ticket, nullptr);
    const auto session = std::make_shared<websocket_subscriber>(
        std::move(socket), std::move(admitted),
        websocket_limits{hub.options().client_message_bytes, 0,
                         hub.options().client_frames_per_second},
        std::move(ticket));
    session->start(std::move(request), std::move(chosen));
    return std::nullopt;
  }

  const auto frames = accepted_framing(request.accept);
  if (!frames) {
    return problem({close_codes::not_acceptable,
                    "Accept: the feed is text/event-stream or application/x-ndjson"});
  }
  if (!admitted.topic) return problem(admitted.refused);
  if (admitted.nothing_left && *frames == framing::sse) return plain_answer{204, "", ""};
  if (request.asked == opening::method::head) {
    return plain_answer{200, *frames == framing::sse ? "text/event-stream" : "application/x-ndjson",
                        ""};
  }
  const auto end =
      request.http == opening::version::http_1_0 ? body_end::connection : body_end::chunk;
  std::make_shared<stream_session>(std::move(socket), std::move(admitted), *frames, end,
                                   request.head_lines, hub.options().client_message_bytes,
                                   std::move(request.ticket))
      ->start();
  return std::nullopt;
}

}  // namespace tofud::fanout
