// What is remembered of a folded run.
#pragma once

#include "daemon/correlator/run_state.hpp"
#include "daemon/history/operation.hpp"

#include <cstddef>
#include <vector>

namespace tofud::history {

remembered_run run_to_remember(const correlator::run_state& run);

/// Appends the steps that ended of `count` resources from the one at `from` on, but for those whose
/// end or time the stream does not tell. True if resources follow.
bool add_operations(std::vector<operation>& done, const correlator::run_state& run,
                    std::size_t from, std::size_t count);

}  // namespace tofud::history
