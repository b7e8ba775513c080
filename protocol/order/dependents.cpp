#include "protocol/order/dependents.hpp"

#include "protocol/ui/resource_address.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace tofud::order {

std::vector<taken_away> taken_away_by(const std::vector<planned_object>& planned,
                                      const known_objects& state) {
  struct counts {
    std::size_t all = 0, not_planned = 0;
  };
  boost::unordered_flat_set<std::string> in_plan;
  for (const planned_object& each : planned) in_plan.insert(each.address);
  boost::unordered_flat_map<std::string, counts> by_block;
  for (const auto& [at, object] : state) {
    if (!at.second.empty()) continue;  // what is left over is no resource of its own
    for (const std::string& block : object.dependencies) {
      counts& count = by_block[block];
      ++count.all;
      if (!in_plan.contains(at.first)) ++count.not_planned;
    }
  }
  std::vector<taken_away> all;
  for (const planned_object& each : planned) {
    if (!each.removes) continue;
    const auto block = ui::without_keys(each.address);
    const auto found = by_block.find(block.value_or(each.address));
    if (found == by_block.end()) continue;
    all.push_back({each.address, each.makes, found->second.all, found->second.not_planned});
  }
  return all;
}

}  // namespace tofud::order
