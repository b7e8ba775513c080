#include "protocol/order/plan_knowledge.hpp"

#include "protocol/order/plan_configuration.hpp"

namespace tofud::order {

plan_knowledge knowledge_in(const plan::document& from) {
  return {read_prior_state(from), configuration_in(from)};
}

facts facts_of(const attachments::config_facts* config, const plan_knowledge* plan,
               waiting_by waits) {
  facts made;
  made.waits = waits;
  if (config != nullptr && config->has_order())
    made.config = config;
  else if (plan != nullptr && !plan->configuration.blocks().empty())
    made.config = &plan->configuration;
  if (plan != nullptr && !plan->prior.empty()) made.state = &plan->prior;
  return made;
}

}  // namespace tofud::order
