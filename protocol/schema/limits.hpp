// Limits of protocol/schema, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>

namespace tofud::limits {

/// One type's schema as JSON. The largest known, dashboards of nested definitions, have a tenth.
inline constexpr std::size_t schema_bytes = 32 * mib;

/// All schemas kept of one document, as JSON: a plan has some hundred types of some ten kilobytes.
inline constexpr std::size_t schemas_bytes = 128 * mib;

/// Mistakes told of one document: who sees so many looks at how it was made.
inline constexpr std::size_t schema_findings = 1000;

}  // namespace tofud::limits
