// The text of a small file, or why there is none.
#pragma once

#include "protocol/text/failure.hpp"

#include <cstddef>
#include <string>

namespace tofud::files {

/// What a regular file of at most `most` bytes holds. Never waits for the writer of a FIFO. Errors:
/// files::error.
text::result<std::string> read_regular_file(const std::string& path, std::size_t most);

}  // namespace tofud::files
