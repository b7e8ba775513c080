// What the options of a daemon name, read before anything is served.
#pragma once

#include "daemon/net/tls_context.hpp"
#include "daemon/notify/sender.hpp"
#include "daemon/oidc/issuers.hpp"
#include "daemon/operations/audit_log.hpp"
#include "daemon/operations/log_sink.hpp"
#include "daemon/serve/team_daemon.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <memory>

namespace tofud::serve {

struct opened_files {
  std::shared_ptr<net::tls_context> tls;         // null: nothing is encrypted
  std::unique_ptr<operations::audit_log> audit;  // null: nobody wants one
  oidc::issuers::ready_providers providers;
  notify::ready_rules told;
  std::unique_ptr<archive::place> archive;  // null: ended runs are copied nowhere
  telemetry::destination telemetry;
};

/// What lines of the log look like.
operations::log_options log_options_of(const daemon_options& options);

/// The failure says which file, and why not. What is to be said of certificates is logged.
text::result<opened_files> open_files(const daemon_options& options);

}  // namespace tofud::serve
