// The `run` view read back from what `encode` wrote.
#pragma once

#include "protocol/feed/row.hpp"

#include <optional>
#include <string_view>

namespace tofud::feed {

/// Nothing if it is no `run` object. What is missing in it, or of another type, is as in an empty
/// view: an older tofud may have written it.
std::optional<run_view> parse_run_view(std::string_view document_text);

}  // namespace tofud::feed
