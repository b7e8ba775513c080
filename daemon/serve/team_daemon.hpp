// `tofud serve`: many runs from many machines, kept and shown for as long as it runs.
#pragma once

#include "daemon/access/rules.hpp"
#include "daemon/journal/retention.hpp"
#include "daemon/view_options.hpp"
#include "protocol/redact/rules.hpp"

#include <cstdint>
#include <string>

namespace tofud::serve {

struct daemon_options {
  listening listen;           // exactly there, or on the default port
  std::string socket;         // the Unix socket's path; empty: none
  std::string directory;      // of the journal
  redact::rules rules;        // of streams that come as they are
  journal::retention retain;  // of finished runs
  access::rules access;       // who may ask
};

/// Serves until SIGTERM or SIGINT. Returns the exit status; what keeps it from serving is said on
/// standard error.
int run_daemon(const daemon_options& options);

}  // namespace tofud::serve
