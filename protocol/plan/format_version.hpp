// The version of the JSON output format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofud::plan {

/// Nothing if a document of that version can be read: any minor of 1. Else a sentence.
std::optional<std::string> refused_version(std::string_view version);

}  // namespace tofud::plan
