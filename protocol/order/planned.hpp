// What there is to do, for who makes an order of it.
#pragma once

#include "protocol/attachments/config_facts.hpp"
#include "protocol/attachments/plan_facts.hpp"
#include "protocol/order/build.hpp"
#include "protocol/plan/plan.hpp"

#include <vector>

namespace tofud::order {

/// What a plan changes, an entry for each address. What can't be read is passed over.
std::vector<planned_object> planned_in(const plan::document& from);
/// The same of what was remembered of one.
std::vector<planned_object> planned_in(const attachments::plan_facts& from);
/// Every resource of a configuration, as if it were made for the first time: blocks stand for
/// their instances.
std::vector<planned_object> blocks_of(const attachments::config_facts& from);

}  // namespace tofud::order
