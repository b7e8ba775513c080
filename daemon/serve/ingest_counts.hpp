// What has come in since the daemon started, counted: for metrics.
#pragma once

#include "daemon/correlator/message_counts.hpp"
#include "daemon/serve/limits.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace tofud::serve {

struct ingest_counts {
  /// Of what was sent to this daemon since it started, once each: not of what the journal had
  /// before, nor of runs that are folded again.
  correlator::message_counts messages;
  std::uint64_t bytes = 0;                         // of streams, as the journal keeps them
  std::map<std::string, std::uint64_t> runs_over;  // by status
  std::uint64_t events_limit = 0;                  // limits::events_per_run was reached
  std::uint64_t memory_limit = 0;                  // limits.memory_bytes or loaded_bytes refused
  std::uint64_t attachments_limit = 0;             // limits::attachments_waiting was reached
};

}  // namespace tofud::serve
