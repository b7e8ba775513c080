// Diagnostics as people get them: in their order, and with similar warnings as one.
#pragma once

#include "protocol/feed/row.hpp"

#include <vector>

namespace tofud::diagnostics {

/// What OpenTofu and Terraform do with the diagnostics of one step before they print them as text
/// (`tfdiags.Sort` and `ConsolidateWarnings(1)` of both; tests/plan_texts has Terraform 1.11's):
/// warnings first, those without a place before the others, then by file and place; of warnings
/// that have a place and the same summary the first one stays and says how many more there are.
/// Assertions of checks are never joined.
std::vector<feed::diagnostic_row> consolidated(std::vector<feed::diagnostic_row> diagnostics);

}  // namespace tofud::diagnostics
