// Which types a plan or a state is about.
#pragma once

#include "protocol/plan/plan.hpp"
#include "protocol/plan/state.hpp"
#include "protocol/schema/schemas_scanner.hpp"

namespace tofud::diff {

/// What of the schemas of providers it needs: the types of its resources.
plan::result<schema::schemas_scanner::wanted> types_of(const plan::document& from);
plan::result<schema::schemas_scanner::wanted> types_of(const plan::state_document& from);

}  // namespace tofud::diff
