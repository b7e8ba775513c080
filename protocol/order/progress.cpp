#include "protocol/order/progress.hpp"

#include "protocol/order/limits.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <limits>

namespace tofud::order {

progress::progress(const order& of)
    : of_{of}, states_(of.size(), progress_of::owed), ranks_(of.size()) {
  std::vector<std::uint32_t> left(of.size());
  std::vector<vertex> open;
  for (vertex each = 0; each < of.size(); ++each) {
    left[each] = static_cast<std::uint32_t>(of.before(each).size());
    ranks_[each] = std::numeric_limits<std::uint32_t>::max();
    if (left[each] == 0) open.push_back(each);
  }
  for (const vertex each : open) ranks_[each] = 0;
  while (!open.empty()) {
    const vertex at = open.back();
    open.pop_back();
    for (const vertex after : of.after(at)) {
      if (--left[after] > 0) continue;
      std::uint32_t rank = 0;
      for (const vertex before : of.before(after)) rank = std::max(rank, ranks_[before] + 1);
      ranks_[after] = rank;
      open.push_back(after);
    }
  }
}

/// Operations before `from` at which the way back ends: those that `stops` chooses.
template <class Stop>
std::vector<vertex> progress::search(vertex from, const Stop& stops) const {
  boost::unordered_flat_set<vertex> seen{from};
  std::vector<vertex> open{from}, found;
  while (!open.empty()) {
    const vertex at = open.back();
    open.pop_back();
    for (const vertex before : of_.before(at)) {
      if (!seen.insert(before).second) continue;
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
  // What is before another of them is no direct one. Nothing is before what has no greater rank.
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (const vertex each : nearest) least = std::min(least, ranks_[each]);
  boost::unordered_flat_set<vertex> behind;
  std::vector<vertex> open = nearest;
  while (!open.empty() && looks_ < limits::order_looks) {
    const vertex at = open.back();
    open.pop_back();
    if (ranks_[at] <= least) continue;
    for (const vertex before : of_.before(at)) {
      ++looks_;
      if (ranks_[before] >= least && behind.insert(before).second) open.push_back(before);
    }
  }
  std::erase_if(nearest, [&](vertex each) { return behind.contains(each); });
  return nearest;
}

std::vector<vertex> progress::failed_before(vertex operation) const {
  boost::unordered_flat_set<vertex> seen{operation};
  std::vector<vertex> open{operation}, found;
  while (!open.empty()) {
    const vertex at = open.back();
    open.pop_back();
    for (const vertex before : of_.before(at)) {
      if (!seen.insert(before).second) continue;
      if (of_.at(before) != nullptr && states_[before] == progress_of::failed)
        found.push_back(before);
      open.push_back(before);
    }
  }
  return found;
}

}  // namespace tofud::order
