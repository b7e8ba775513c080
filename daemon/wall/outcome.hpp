// What the runs of a stack that are over come to.
#pragma once

#include "daemon/wall/run_order.hpp"
#include "protocol/feed/stack_row.hpp"

#include <optional>

namespace tofud::wall {

/// What a success can make up for, and a failure need: the state that an apply left half-way only
/// another apply mends, and that the tests pass says nothing about a plan that failed.
int weight(const run_facts& run);

/// The newest failure that no later success made up for, else the newest success, with the failures
/// it superseded. Nothing if no run is over.
std::optional<feed::stack_outcome> outcome_of(const run_list& runs);

}  // namespace tofud::wall
