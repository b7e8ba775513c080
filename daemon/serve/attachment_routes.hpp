// `PUT /v1/runs/ID/attachments/PART`: plans, schemas and configurations of runs that are sent here.
#pragma once

#include "daemon/http/router.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/sender.hpp"
#include "protocol/redact/rules.hpp"
#include "protocol/schema/schema.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>

namespace tofud::serve {

/// Documents are read and masked by a thread of their own, which ends with the routes. `rules`: for
/// runs that no forwarder has redacted; `own_schemas`: specifications over those of every run,
/// null: none. What is passed by reference outlives the routes, and holds for what comes after a
/// change.
void add_attachment_routes(http::router& routes, boost::asio::io_context& io, kept_streams& runs,
                           journal::run_log& log, const redact::rules& rules,
                           const std::shared_ptr<const schema::schemas>& own_schemas,
                           sender_finder sender);

}  // namespace tofud::serve
