// The version of the JSON output format.
#pragma once

#include "protocol/plan/failure.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tofud::plan {

/// Nothing if a document of that version can be read: any minor of 1.
std::optional<failure> refused_version(std::string_view version);

}  // namespace tofud::plan
