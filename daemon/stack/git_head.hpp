// Which commit a directory is at, read from git's own files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tofud::stack {

/// The id of the commit that HEAD is at in the repository around `directory`: of its branch (a file
/// of its own, or a line of packed-refs), or HEAD's own when it is detached. Nothing without a
/// repository or a commit, or if its refs are kept in another way (reftable).
std::optional<std::string> head_commit(const std::filesystem::path& directory);

}  // namespace tofud::stack
