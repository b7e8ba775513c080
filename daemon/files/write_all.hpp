// Writing to a descriptor until all is there.
#pragma once

#include <string_view>

namespace tofud::files {

/// Writes all of `bytes`, waiting where the descriptor is non-blocking; false, with errno, if it
/// failed. A write that takes nothing fails with ENOSPC.
bool write_all(int fd, std::string_view bytes);

}  // namespace tofud::files
