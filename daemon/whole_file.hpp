// A file that is there whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace tofud {

/// Writes beside `path` and renames, so that nobody reads half of it; a pipe or a device is written
/// as it is. Returns an empty string, else what failed, as a sentence without a full stop.
std::string write_whole_file(const std::string& path, std::string_view text);

}  // namespace tofud
