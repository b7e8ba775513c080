// Everything about runs but their upload: list and search, feed, streams, events, removal.
#pragma once

#include "daemon/api/long_reads.hpp"
#include "daemon/archive/archiver.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/http/router.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/sender.hpp"
#include "protocol/redact/rules.hpp"

namespace tofud::serve {

/// `runs`, `rules`, those of streams that come as they are, `reads`, `hub` and `archive` outlive
/// the routes' use, as does what `sender` needs.
void add_run_routes(http::router& routes, boost::asio::io_context& io, kept_streams& runs,
                    const redact::rules& rules, sender_finder sender, long_reads& reads,
                    fanout::hub& hub, archive::archiver& archive);

}  // namespace tofud::serve
