// A connection on the Unix socket that may be no HTTP at all: `nc -U` with the bytes of a stream.
#pragma once

#include "daemon/http/connection.hpp"
#include "daemon/http/message/head_reader.hpp"
#include "daemon/http/sending.hpp"

#include <cstdint>
#include <string_view>

namespace tofud::http {

/// What the first bytes of a connection are. HTTP begins with a method in upper-case letters, a
/// blank and `/`.
enum class first_bytes : std::uint8_t { http, raw, too_few };
first_bytes judge_first_bytes(std::string_view bytes);

/// True: it is HTTP, and what was read is in `reader`. Else the stream was taken to its end.
task serve_raw_stream(listener_state& state, connection& on, head_reader& reader);

}  // namespace tofud::http
