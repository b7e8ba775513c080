// A bounded look at the newest runs.
#pragma once

#include "daemon/wall/limits.hpp"
#include "daemon/wall/run_order.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tofud::wall {

/// Calls `look` for the newest runs, so many at most, until it says that is enough.
template <typename Look>
void for_the_newest(const run_list& runs, Look&& look, std::size_t left = limits::runs_of_a_card) {
  for (const run_facts* run : runs) {
    if (left-- == 0 || look(*run)) return;
  }
}

/// Of those, in the order of their ends: a run that was only locked out ended before the one that
/// held the lock, though it began later.
template <typename Look>
void for_the_last_to_end(const run_list& runs, Look&& look) {
  std::vector<const run_facts*> newest;
  for_the_newest(runs, [&](const run_facts& run) {
    newest.push_back(&run);
    return false;
  });
  std::stable_sort(newest.begin(), newest.end(), ended_last_first{});
  for (const run_facts* run : newest) {
    if (look(*run)) return;
  }
}

/// Null: there is none.
inline const run_facts* newest(const run_list& runs) {
  return runs.empty() ? nullptr : *runs.begin();
}

}  // namespace tofud::wall
