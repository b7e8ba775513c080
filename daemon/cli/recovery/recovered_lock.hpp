// What is known of the lock that a run may have left behind.
#pragma once

#include "daemon/wall/lock_info.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/recover/statement.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tofud::recovery {

/// A lock, and what says so.
struct found_lock {
  wall::lock_info lock;
  std::string source;      // such as ".terraform.tfstate.lock.info"
  bool of_a_file = false;  // of a state in a file: it went with the process that had it
};

/// Whether the run ended in a way that gives no lock back, as when it was killed.
bool may_have_left_lock(const feed::run_view& run);

/// `found`: nothing says anything of a lock.
std::vector<recover::statement> statements_of(const std::optional<found_lock>& found,
                                              const feed::run_view& run);

}  // namespace tofud::recovery
