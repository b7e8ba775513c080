// What depends on what an apply takes away.
#pragma once

#include "protocol/order/build.hpp"
#include "protocol/order/known_objects.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tofud::order {

/// Something that is deleted or replaced, with resources of the state that depend on its block,
/// however indirectly.
struct taken_away {
  std::string address;
  bool replaced = false;
  std::size_t dependents = 0;
  std::size_t not_planned = 0;  // of them, those that the plan leaves as they are
};

/// In the order of `planned`; those that nothing depends on are left out.
std::vector<taken_away> taken_away_by(const std::vector<planned_object>& planned,
                                      const known_objects& state);

}  // namespace tofud::order
