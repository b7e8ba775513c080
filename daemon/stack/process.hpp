// What /proc says of other processes.
#pragma once

#include "daemon/stack/limits.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tofud::stack {

/// The words of a file of /proc in which each ends with a null: `cmdline`, `environ`. At most
/// limits::described_bytes of it; none if it can't be read.
std::vector<std::string> words_of(const std::filesystem::path& file);

}  // namespace tofud::stack
