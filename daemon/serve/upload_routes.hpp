// The upload: a forwarder sends a run's bytes from the acknowledged offset on, and its events.
#pragma once

#include "daemon/http/router.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/sender.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <string>

namespace tofud::serve {

/// `POST /v1/runs`, `HEAD` and `PATCH /v1/runs/ID/lines`, `PUT /v1/runs/ID/events/N`. `sender`
/// says whose share of the runs that go on a request's is; `page` gives the address of a run's
/// page, or an empty text. All of it outlives the routes' use.
void add_upload_routes(http::router& routes, boost::asio::io_context& io, kept_streams& runs,
                       sender_finder sender,
                       std::function<std::string(const std::string& run)> page);

}  // namespace tofud::serve
