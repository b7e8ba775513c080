// `tofud serve`: many runs from many machines, kept and shown for as long as it runs.
#pragma once

#include "daemon/http/listener.hpp"
#include "daemon/journal/retention.hpp"
#include "daemon/net/tls_context.hpp"
#include "protocol/redact/rules.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tofud::serve {

struct daemon_options {
  bool wants_tcp = true;
  std::vector<std::string> listen;  // ADDR:PORT, exactly there; empty: the default one
  net::tls_files tls;               // of all TCP; no certificate: nothing is encrypted
  http::exposure beyond_loopback;
  std::string socket;         // the Unix socket's path; empty: none
  std::string directory;      // of the journal
  redact::rules rules;        // of streams that come as they are
  journal::retention retain;  // of finished runs
};

/// Serves until SIGTERM or SIGINT. Returns the exit status; what keeps it from serving is said on
/// standard error.
int run_daemon(const daemon_options& options);

}  // namespace tofud::serve
