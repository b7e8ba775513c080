// How the journal does: for metrics.
#pragma once

#include "daemon/journal/disk.hpp"
#include "protocol/text/histogram.hpp"

#include <cstdint>
#include <optional>

namespace tofud::journal {

struct store_facts {
  std::uint64_t bytes = 0;         // of all runs, on disk
  std::optional<disk_space> disk;  // the one the journal is on; nothing: it does not say
  text::duration_histogram syncs;  // how long appended bytes took to be on disk, by batch
  std::uint64_t refusals = 0;      // batches that were refused because too little was free
};

}  // namespace tofud::journal
