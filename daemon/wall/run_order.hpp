// The order of a stack's runs: which came later, and what each was.
#pragma once

#include "daemon/wall/run_facts.hpp"

#include <set>

namespace tofud::wall {

/// By our clock. A run of which no line has come began when we heard of it.
ui::time_point began(const run_facts& run);

/// By our clock; nothing while it goes on.
std::optional<ui::time_point> ended(const run_facts& run);

bool goes_on(const run_facts& run);

/// Whether the run changes what the stack's state describes, or would if it got so far.
bool is_apply(const run_facts& run);

/// A plan that was finished: one that goes on or failed is none that could be applied.
bool is_plan(const run_facts& run);

/// The newest first; of runs that began at once the one whose id is greater.
struct newest_first {
  bool operator()(const run_facts* a, const run_facts* b) const;
};

/// What was over last comes first: what a run says of the stack's state it says at its end. One
/// that goes on comes before all that are over.
struct ended_last_first {
  bool operator()(const run_facts* a, const run_facts* b) const;
};

/// The facts outlive the list, and do not change in what orders them while they are in it.
using run_list = std::set<const run_facts*, newest_first>;

}  // namespace tofud::wall
