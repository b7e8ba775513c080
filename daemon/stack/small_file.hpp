// Files that git and OpenTofu keep about a directory.
#pragma once

#include "daemon/stack/limits.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace tofud::stack {

/// What a regular file holds, at most limits::described_bytes of it; nothing if it can't be read.
/// Neither waits nor throws for what a FIFO or a device in its place would do.
std::optional<std::string> small_file(const std::filesystem::path& path);

/// The same without blanks and newlines around it.
std::optional<std::string> small_word(const std::filesystem::path& path);

}  // namespace tofud::stack
