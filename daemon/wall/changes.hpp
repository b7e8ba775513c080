// A plan and its apply as one change, and how it stands.
#pragma once

#include "daemon/wall/known_runs.hpp"
#include "protocol/feed/stack_row.hpp"

#include <optional>

namespace tofud::wall {

/// The change that a run belongs to. Nothing for one that is neither a finished plan nor an apply.
std::optional<feed::stack_change> change_of(const known_runs& known, const run_facts& run);

/// The one a stack's card shows: what is being applied, else what waits for somebody, else the
/// newest.
std::optional<feed::stack_change> shown_change(const known_runs& known, const stack_runs& runs);

}  // namespace tofud::wall
