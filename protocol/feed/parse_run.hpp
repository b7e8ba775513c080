// A `run` row as a value again: for lists that hold rows of runs whose streams are elsewhere, or
// gone.
#pragma once

#include "protocol/feed/row.hpp"

#include <optional>
#include <string_view>

namespace tofud::feed {

/// Reads what `encode` wrote of a run, and what later versions add to it: fields that are not known
/// here are passed over, those that are missing or of another type stay as they are in a new
/// `run_view`. Nothing: the text is no `run` row with a key.
std::optional<run_view> parse_run(std::string_view row);

}  // namespace tofud::feed
