// `tofud serve`: many runs from many machines, kept and shown for as long as it runs.
#pragma once

#include "daemon/access/rules.hpp"
#include "daemon/archive/place.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/http/listener.hpp"
#include "daemon/http/message/limits.hpp"
#include "daemon/journal/retention.hpp"
#include "daemon/net/tls_context.hpp"
#include "daemon/notify/rule.hpp"
#include "daemon/oidc/provider.hpp"
#include "daemon/operations/log_format.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/membership.hpp"
#include "daemon/settings/reloading.hpp"
#include "daemon/telemetry/destination.hpp"
#include "protocol/redact/rules.hpp"
#include "protocol/schema/schema.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tofud::serve {

struct daemon_options {
  std::vector<std::string> listen;  // ADDR:PORT, exactly there; empty: no TCP
  net::tls_files tls;               // of all TCP; no certificate: nothing is encrypted
  http::exposure beyond_loopback;
  http::listener_options connections;
  std::chrono::milliseconds body_stalled_after = limits::body_stalled_after;
  fanout::hub_options feed;
  kept_streams::options runs;
  std::string socket;                                  // the Unix socket's path; empty: none
  std::string directory;                               // of the journal
  redact::rules rules;                                 // of streams that come as they are
  std::shared_ptr<const schema::schemas> own_schemas;  // over those of every run; null: none
  journal::retention retain;                           // of finished runs
  access::rules access;                                // who may ask
  std::vector<oidc::provider> providers;               // whose tokens are taken besides
  std::vector<notify::rule> told;                      // who is told of what
  std::optional<operations::log_format> log_format;    // nothing: the journal's if that listens
  spdlog::level::level_enum log_level = spdlog::level::info;
  std::string audit_file;  // empty: none
  bool metrics_by_stack = false;
  archive::address archive;     // of ended runs; `to` empty: none
  cluster_options cluster;      // with whom runs are shared; no servers: with nobody
  telemetry::wishes telemetry;  // where that of ended runs is sent
  /// What SIGHUP asks, longer there than the daemon; null: nothing.
  settings::reloading* reload = nullptr;
};

/// Serves until SIGTERM or SIGINT, on the sockets that a service manager gave or on its own, and
/// tells the manager how it is. Returns the exit status; what keeps it from serving is said on
/// standard error.
int run_daemon(const daemon_options& options);

}  // namespace tofud::serve
