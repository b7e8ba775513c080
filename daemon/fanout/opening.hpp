// What a connection asked for before it became a subscriber: values taken from its HTTP head.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tofud::fanout {

/// The fields of a checked WebSocket upgrade (RFC 6455, 4.2.1).
struct websocket_offer {
  std::string key;        // Sec-WebSocket-Key
  std::string protocols;  // Sec-WebSocket-Protocol, joined by commas; empty: none offered
};

struct opening {
  std::string query;                         // of the URL, without `?`
  std::string accept;                        // Accept, joined by commas; empty: none
  std::optional<std::string> last_event_id;  // Last-Event-ID
  std::optional<websocket_offer> websocket;  // absent: an HTTP stream
  enum class version { http_1_0, http_1_1 } http = version::http_1_1;
  enum class method { get, head } asked = method::get;
  std::string head_lines;        // more of the answer's head, each with its CR LF
  std::string read_ahead;        // bytes that came after the head
  std::shared_ptr<void> ticket;  // counts the connection while it lives
  /// Not empty once who asked may not any more, and why; nothing: that does not happen.
  std::shared_ptr<const std::string> permit;
};

}  // namespace tofud::fanout
