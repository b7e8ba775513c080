// Which types a plan is about.
#pragma once

#include "protocol/plan/plan.hpp"
#include "protocol/schema/schemas_scanner.hpp"

namespace tofud::attachments {

/// What of the schemas of providers a plan needs: the types of its resources.
plan::result<schema::schemas_scanner::wanted> types_of(const plan::document& from);

}  // namespace tofud::attachments
