// Writing on a connection: answers, and the end that lets the client read them.
#pragma once

#include "daemon/http/connection.hpp"
#include "daemon/http/limits.hpp"
#include "daemon/http/message/request.hpp"
#include "daemon/http/message/response.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <string_view>

namespace tofud::http {

/// False: the connection is no use any more.
using task = boost::asio::awaitable<bool, executor>;

task send(listener_state& state, connection& on, std::string_view head, std::string_view body);

/// Reads and forgets until the client's end, so that our close does not take the answer away from
/// it; for linger_time and limits::discarded_bytes.
task linger(listener_state& state, connection& on);

/// Sends `answer` to `asked`. With `then` close it lingers and is false.
task respond(listener_state& state, connection& on, const request& asked, response& answer,
             connection_end then);

}  // namespace tofud::http
