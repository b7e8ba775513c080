// Which elements of two sets are the same.
#pragma once

#include "protocol/diff/pairing.hpp"
#include "protocol/diff/sides.hpp"

namespace tofud::diff {

/// Tells of each element of before, with its equal of after if there is one, and then of those that
/// are only after. Equal are those of the same value and the same marks that are wholly known.
void pair_set(const list_sides& between, const pair_sink& pair);

}  // namespace tofud::diff
