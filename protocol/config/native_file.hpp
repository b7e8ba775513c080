// Files in native syntax: `.tf`, `.tofu`.
#pragma once

#include "protocol/config/block.hpp"

#include <string>
#include <string_view>

namespace tofud::config {

/// What a file declares. `path` as in `place::file`.
file_blocks read_native_file(const std::string& path, std::string_view text);

}  // namespace tofud::config
