// Limits of daemon/exports, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>

namespace tofud::limits {

/// Rows and lines in a report, before `<` is written longer: forty thousand resources with their
/// logs, and a browser still reads it in a second or two.
inline constexpr std::size_t report_bytes = 32 * mib;

}  // namespace tofud::limits
