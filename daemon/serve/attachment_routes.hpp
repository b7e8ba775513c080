// `PUT /v1/runs/ID/attachments/PART`: plans, schemas and configurations of runs that are sent here.
#pragma once

#include "daemon/http/router.hpp"
#include "daemon/serve/run_registry.hpp"
#include "daemon/serve/sender.hpp"
#include "protocol/redact/rules.hpp"

#include <boost/asio/io_context.hpp>

namespace tofud::serve {

/// Documents are read and masked by a thread of their own, which ends with the routes. `rules`: for
/// runs that no forwarder has redacted. What is passed by reference outlives the routes.
void add_attachment_routes(http::router& routes, boost::asio::io_context& io, run_registry& runs,
                           journal::store& store, const redact::rules& rules, sender_finder sender);

}  // namespace tofud::serve
