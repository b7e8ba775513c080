// Whether somebody changed what a stack describes, outside of OpenTofu, and since when.
#pragma once

#include "daemon/wall/known_runs.hpp"
#include "protocol/feed/stack_row.hpp"

#include <optional>

namespace tofud::wall {

/// What the newest runs of a stack say of it. Drift is found by a plan that reports changed
/// objects, and by a drift check (label `purpose=drift`, or of the commit that was applied last)
/// that has changes. It is over once a whole apply succeeds, or a drift check finds nothing. Plans
/// of pull requests, of other branches than the last apply's, of some resources only
/// (-target, -exclude), and those that failed or go on say nothing.
std::optional<feed::stack_drift> drift_of(const stack_runs& runs);

}  // namespace tofud::wall
