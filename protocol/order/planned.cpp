#include "protocol/order/planned.hpp"

#include "protocol/config/configuration.hpp"
#include "protocol/plan/resource_change.hpp"

#include <map>
#include <string>
#include <string_view>

namespace tofud::order {

namespace {

/// What a plan has of one object.
struct planned_change {
  std::string_view address, deposed;
  bool makes = false, removes = false, create_before_destroy = false;
  std::string_view making = "create";
};

/// An entry for each address.
class gathered {
 public:
  void add(const planned_change& each) {
    const auto [place, added] = places_.try_emplace(std::string{each.address}, all_.size());
    if (added) all_.emplace_back().address = each.address;
    planned_object& made = all_[place->second];
    if (!each.deposed.empty()) {
      made.deposed.emplace_back(each.deposed);
      return;
    }
    made.makes = each.makes;
    made.removes = each.removes;
    made.making = each.making;
    if (each.makes && each.removes) made.create_before_destroy = each.create_before_destroy;
  }

  std::vector<planned_object> take() {
    std::erase_if(all_, [](const planned_object& each) {
      return !each.makes && !each.removes && each.deposed.empty();
    });
    return std::move(all_);
  }

 private:
  std::vector<planned_object> all_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace

std::vector<planned_object> planned_in(const plan::document& from) {
  using plan::planned_action;
  gathered all;
  plan::part parsed;
  for (const std::string_view text : from.resource_changes) {
    if (parsed.parse(text, "resource_changes")) continue;
    const auto change = plan::read_resource_change(parsed.root(), "resource_changes");
    if (!change) continue;
    planned_change made{change->address, change->deposed};
    const auto action = change->change.action;
    const bool replaces = action == planned_action::remove_then_create ||
                          action == planned_action::create_then_remove;
    made.makes = replaces || action == planned_action::create || action == planned_action::update ||
                 action == planned_action::read || action == planned_action::forget_then_create;
    if (action == planned_action::update) made.making = "update";
    if (action == planned_action::read) made.making = "read";
    made.removes = replaces || action == planned_action::remove;
    made.create_before_destroy = action == planned_action::create_then_remove;
    all.add(made);
  }
  return all.take();
}

std::vector<planned_object> planned_in(const attachments::plan_facts& from) {
  gathered all;
  for (const auto& change : from.changes()) {
    planned_change made{change.address, change.deposed};
    made.removes = change.action == "replace" || change.action == "delete";
    made.makes = change.action == "replace" || change.action == "create" ||
                 change.action == "update" || change.action == "read";
    if (change.action == "update") made.making = "update";
    if (change.action == "read") made.making = "read";
    made.create_before_destroy = change.create_before_destroy;
    all.add(made);
  }
  return all.take();
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
