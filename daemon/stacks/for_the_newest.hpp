// A bounded look at the newest runs.
#pragma once

#include "daemon/stacks/run_order.hpp"
#include "protocol/limits.hpp"

#include <cstddef>

namespace tofud::stacks {

/// Calls `look` for the newest limits::runs_of_a_card runs, until it says that is enough.
template <typename Look>
void for_the_newest(const run_list& runs, Look&& look) {
  std::size_t left = limits::runs_of_a_card;
  for (const run_facts* run : runs) {
    if (left-- == 0 || look(*run)) return;
  }
}

/// Null: there is none.
inline const run_facts* newest(const run_list& runs) {
  return runs.empty() ? nullptr : *runs.begin();
}

}  // namespace tofud::stacks
