// What of a plan tells the order of its apply, without its text.
#pragma once

#include "protocol/attachments/config_facts.hpp"
#include "protocol/order/build.hpp"
#include "protocol/order/known_objects.hpp"
#include "protocol/plan/plan.hpp"

namespace tofud::order {

struct plan_knowledge {
  known_objects prior;                      // empty: it has no prior state, or does not tell it
  attachments::config_facts configuration;  // no blocks: it has none
};

plan_knowledge knowledge_in(const plan::document& from);

/// What tells the order: an attached configuration, else what the plan has of it, and the state
/// before the plan. Null: there is none. Pointers into both.
facts facts_of(const attachments::config_facts* config, const plan_knowledge* plan,
               waiting_by waits);

}  // namespace tofud::order
