// A plan as it may be kept with a run and served: what it marks as sensitive is not in it.
#pragma once

#include "protocol/plan/plan.hpp"
#include "protocol/schema/schema.hpp"

#include <string>

namespace tofud::redact {

/// The same plan with resource changes, drift, outputs and relevant attributes only, one of them a
/// line, and what tells the order of its apply (order_of_plan.hpp). Values that the plan or a
/// schema (nullptr: none) calls sensitive on either side are replaced, within one change the same
/// by the same, so that a diff still tells what changes. Identities, ids of imports, generated
/// configuration, variables, and values and expressions of states and the configuration are left
/// out. What it gives says that it is masked, and masked again it stays as it is: of such a plan
/// names below a sensitive place are taken as looked after, values never. A failure names the path
/// of what is wrong, with none of its values.
plan::result<std::string> masked_plan(const plan::document& from, const schema::schemas* known);

}  // namespace tofud::redact
