// What has come in since the daemon started, counted: for metrics.
#pragma once

#include "daemon/correlator/message_counts.hpp"
#include "daemon/serve/limits.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace tofud::serve {

/// Estimates of the end at one part of an apply's time: when that was over.
struct judged_estimates {
  std::uint64_t by_first = 0, by_second = 0, later = 0;  // by the first end named, or the second
  double error = 0;                                      // the sum of history::error_of
};

struct ingest_counts {
  /// Of what was sent to this daemon since it started, once each: not of what the journal had
  /// before, nor of runs that are folded again.
  correlator::message_counts messages;
  std::uint64_t bytes = 0;                             // of streams, as the journal keeps them
  std::map<std::string, std::uint64_t> runs_over;      // by status
  std::map<std::uint8_t, judged_estimates> estimates;  // by history::judged_at
  std::uint64_t events_limit = 0;                      // limits::events_per_run was reached
  std::uint64_t memory_limit = 0;       // limits.memory_bytes or loaded_bytes refused
  std::uint64_t attachments_limit = 0;  // limits::attachments_waiting was reached
};

}  // namespace tofud::serve
