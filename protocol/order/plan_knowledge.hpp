// What of a plan tells the order of its apply, without its text.
#pragma once

#include "protocol/attachments/config_facts.hpp"
#include "protocol/order/known_objects.hpp"
#include "protocol/plan/plan.hpp"

namespace tofud::order {

struct plan_knowledge {
  known_objects prior;                      // empty: it has no prior state, or does not tell it
  attachments::config_facts configuration;  // no blocks: it has none
};

plan_knowledge knowledge_in(const plan::document& from);

}  // namespace tofud::order
