// Whose share of limits::live_runs_per_address a run is.
#pragma once

#include "daemon/http/message/limits.hpp"
#include "daemon/http/message/request.hpp"

#include <functional>
#include <string>

namespace tofud::http {
struct listener_options;
}

namespace tofud::serve {

/// The address (of IPv6 the network) that a request comes from, as its connection is counted. Where
/// that stands for many, a proxy or this machine, whose token it shows or whom a proxy names.
/// Of the Unix socket, the user at its other end. Empty: a process of our user or root's; those are
/// not counted.
std::string sender_of(const http::request& asked, const http::listener_options& counted_by);
/// The same of a raw stream on the Unix socket.
std::string sender_of(const http::peer& from);

using sender_finder = std::function<std::string(const http::request&)>;

}  // namespace tofud::serve
