// What a masked plan keeps of the states and the configuration: what tells the order of its apply,
// names alone.
#pragma once

#include "protocol/plan/plan.hpp"

#include <string>

namespace tofud::redact {

/// Appends `prior_state` with its addresses and what each depends on, and `configuration` with
/// blocks and what each refers to, both as `tofu show -json` has them, each member after a comma.
/// No values, no expressions. What can't be read is left out. What was appended gives the same
/// again.
void append_order(std::string& out, const plan::document& from);

}  // namespace tofud::redact
