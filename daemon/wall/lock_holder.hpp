// Which run has the lock that another one ran into.
#pragma once

#include "daemon/wall/run_order.hpp"
#include "protocol/feed/stack_row.hpp"

#include <string>
#include <vector>

namespace tofud::wall {

/// Whether a run may have taken a lock for that operation, such as "OperationTypeApply".
bool fits(const run_facts& run, std::string_view operation);

/// Looks in `runs`, which hold the newest runs of every stack that may have this state, for the one
/// that took the lock: it was going on when the lock was made, and does what the lock was for. A
/// lock's time and the stamps of its holder are of one clock, so they are compared as they are;
/// whether that run was over when `stopped` ran into the lock is a question for ours.
feed::stack_lock holder_of(const run_facts& stopped, const std::vector<const run_list*>& runs);

}  // namespace tofud::wall
