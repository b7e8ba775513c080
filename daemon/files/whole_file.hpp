// A file that is there whole or not at all.
#pragma once

#include "protocol/text/failure.hpp"

#include <string>
#include <string_view>

namespace tofud::files {

/// Writes beside `path` and renames, so that nobody reads half of it; a pipe or a device is written
/// as it is. Returns what failed, if anything did.
text::failure write_whole_file(const std::string& path, std::string_view text);

/// The same for what is written when a run ends: a pipe that nobody reads would hold up that end,
/// so what is there and no file is refused.
text::failure write_file_of_run(const std::string& path, std::string_view text);

}  // namespace tofud::files
