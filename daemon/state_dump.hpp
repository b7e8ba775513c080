// A state that OpenTofu could save nowhere but in the stream.
#pragma once

#include <string>
#include <string_view>

namespace tofud {

/// Writes the `state` member of a line to `SPOOL.state.json` (0600) beside the spool. Returns the
/// file's path, or nothing if there was no state or no place.
std::string keep_state_dump(std::string_view line, const std::string& spool_path);

}  // namespace tofud
