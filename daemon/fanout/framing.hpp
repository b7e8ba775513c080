// How lines of the feed stand on the wire, before the transport (WebSocket message, HTTP chunk).
#pragma once

#include "protocol/feed/row.hpp"

#include <string>
#include <string_view>

namespace tofud::fanout {

enum class framing {
  lines,  // as they are: one JSON object a line (WebSocket, NDJSON)
  sse,    // server-sent events: `data: LINE` and an empty line
};

/// Appends `lines`, each ending in '\n', as server-sent events.
void append_sse(std::string& out, std::string_view lines);

/// The same for one `at` line: `id: EPOCH:SEQ` stands before it, from which browsers resume.
void append_sse_at(std::string& out, std::string_view line, std::string_view epoch,
                   feed::sequence seq);

/// With a `reset`: browsers that come back before the next `at` say no place, since they have not
/// all that was there (HTML, server-sent events: an empty `id`).
void append_sse_nowhere(std::string& out);

}  // namespace tofud::fanout
