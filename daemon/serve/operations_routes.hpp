// What those ask who run the daemon: /healthz, /readyz, /version, /metrics.
#pragma once

#include "daemon/access/token_store.hpp"
#include "daemon/archive/archiver.hpp"
#include "daemon/fanout/hub.hpp"
#include "daemon/http/listener.hpp"
#include "daemon/http/router.hpp"
#include "daemon/journal/store.hpp"
#include "daemon/net/tls_context.hpp"
#include "daemon/notify/sender.hpp"
#include "daemon/oidc/issuers.hpp"
#include "daemon/operations/log_sink.hpp"
#include "daemon/operations/loop_watch.hpp"
#include "daemon/operations/readiness.hpp"
#include "daemon/serve/kept_streams.hpp"
#include "daemon/serve/membership.hpp"
#include "daemon/telemetry/exporter.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tofud::serve {

/// The parts that are asked; they outlive the routes.
struct operated {
  const kept_streams& runs;
  const journal::store& store;
  const fanout::hub& hub;
  const http::listener& listener;
  const http::router& routes;
  const operations::log_sink& log;
  const operations::loop_lag& lag;
  const access::token_store& tokens;
  const oidc::issuers& issuers;
  const notify::sender& told;
  const archive::archiver& archive;
  const telemetry::exporter& telemetry;
  const membership* cluster = nullptr;          // null: this daemon is alone
  bool names_stacks = false;                    // in metrics
  std::shared_ptr<const net::tls_context> tls;  // null: nothing is encrypted
  std::function<operations::readiness()> ready;
  std::function<std::string()> pages;  // their address; empty: there is none
};

/// Metrics are made when they are asked for, of numbers that are counted anyway; nothing in them
/// names a run, a resource or a peer, and stacks only where that is wanted.
void add_operations_routes(http::router& routes, operated parts);

}  // namespace tofud::serve
