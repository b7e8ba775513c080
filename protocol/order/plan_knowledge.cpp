#include "protocol/order/plan_knowledge.hpp"

#include "protocol/order/plan_configuration.hpp"

namespace tofud::order {

plan_knowledge knowledge_in(const plan::document& from) {
  return {read_prior_state(from), configuration_in(from)};
}

}  // namespace tofud::order
