#include "protocol/order/progress.hpp"

#include <algorithm>

namespace tofud::order {

/// Operations before `from` at which the way back ends: those that `stops` chooses.
template <class Stop>
std::vector<vertex> progress::search(vertex from, const Stop& stops) const {
  std::vector<bool> seen(of_.size());
  std::vector<vertex> open{from}, found;
  seen[from] = true;
  while (!open.empty()) {
    const vertex at = open.back();
    open.pop_back();
    for (const vertex before : of_.before(at)) {
      if (seen[before]) continue;
      seen[before] = true;
      if (of_.at(before) != nullptr && stops(before))
        found.push_back(before);
      else
        open.push_back(before);
    }
  }
  return found;
}

std::vector<vertex> progress::waits_for(vertex operation) const {
  const auto unfinished = [this](vertex each) { return states_[each] != progress_of::done; };
  std::vector<vertex> nearest = search(operation, unfinished);
  if (nearest.size() < 2) return nearest;
  // What is before another of them is no direct one.
  std::vector<bool> behind(of_.size());
  std::vector<vertex> open = nearest;
  while (!open.empty()) {
    const vertex at = open.back();
    open.pop_back();
    for (const vertex before : of_.before(at)) {
      if (behind[before]) continue;
      behind[before] = true;
      open.push_back(before);
    }
  }
  std::erase_if(nearest, [&](vertex each) { return behind[each]; });
  return nearest;
}

std::vector<vertex> progress::failed_before(vertex operation) const {
  std::vector<bool> seen(of_.size());
  std::vector<vertex> open{operation}, found;
  seen[operation] = true;
  while (!open.empty()) {
    const vertex at = open.back();
    open.pop_back();
    for (const vertex before : of_.before(at)) {
      if (seen[before]) continue;
      seen[before] = true;
      if (of_.at(before) != nullptr && states_[before] == progress_of::failed)
        found.push_back(before);
      open.push_back(before);
    }
  }
  return found;
}

}  // namespace tofud::order
