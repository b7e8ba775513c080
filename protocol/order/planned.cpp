#include "protocol/order/planned.hpp"

#include "protocol/config/configuration.hpp"
#include "protocol/plan/resource_change.hpp"

#include <map>
#include <string>
#include <string_view>

namespace tofud::order {

std::vector<planned_object> planned_in(const plan::document& from) {
  using plan::planned_action;
  std::vector<planned_object> all;
  std::map<std::string, std::size_t, std::less<>> places;
  plan::part parsed;
  for (const std::string_view text : from.resource_changes) {
    if (parsed.parse(text, "resource_changes")) continue;
    const auto change = plan::read_resource_change(parsed.root(), "resource_changes");
    if (!change) continue;
    const auto [place, added] = places.try_emplace(std::string{change->address}, all.size());
    if (added) all.emplace_back().address = change->address;
    planned_object& made = all[place->second];
    if (!change->deposed.empty()) {
      made.deposed.emplace_back(change->deposed);
      continue;
    }
    const auto action = change->change.action;
    const bool replaces = action == planned_action::remove_then_create ||
                          action == planned_action::create_then_remove;
    made.makes = replaces || action == planned_action::create || action == planned_action::update ||
                 action == planned_action::read || action == planned_action::forget_then_create;
    if (action == planned_action::update) made.making = "update";
    if (action == planned_action::read) made.making = "read";
    made.removes = replaces || action == planned_action::remove;
    if (replaces) made.create_before_destroy = action == planned_action::create_then_remove;
  }
  std::erase_if(all, [](const planned_object& each) {
    return !each.makes && !each.removes && each.deposed.empty();
  });
  return all;
}

std::vector<planned_object> blocks_of(const attachments::config_facts& from) {
  std::vector<planned_object> all;
  for (const auto& [address, block] : from.blocks()) {
    const std::string_view name = std::string_view{address}.substr(config::module_size(address));
    if (!config::is_resource(name)) continue;
    planned_object& made = all.emplace_back();
    made.address = address;
    made.makes = true;
    if (name.starts_with("data.")) made.making = "read";
  }
  return all;
}

}  // namespace tofud::order
