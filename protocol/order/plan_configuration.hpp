// The configuration as a plan has it, where its files are not there.
#pragma once

#include "protocol/attachments/config_facts.hpp"
#include "protocol/plan/plan.hpp"

namespace tofud::order {

/// Blocks and what they refer to; no places. It lacks locals, so some of what waits for what is not
/// in it. What can't be read says nothing.
attachments::config_facts configuration_in(const plan::document& from);

}  // namespace tofud::order
