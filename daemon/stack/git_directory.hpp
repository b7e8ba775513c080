// Where git keeps what it knows of a work tree.
#pragma once

#include <filesystem>
#include <optional>

namespace tofud::stack {

/// In a linked work tree `own` has its HEAD, and `common` what belongs to the repository as a
/// whole; elsewhere they are the same.
struct git_directory {
  std::filesystem::path own, common;
};

/// What `.git` leads to, a directory or a file that names one. Nothing if it is neither.
std::optional<git_directory> git_directory_of(const std::filesystem::path& dot_git);

/// The nearest parent of `directory`, or itself, with a `.git`; empty if there is none.
std::filesystem::path top_of_work_tree(const std::filesystem::path& directory);

}  // namespace tofud::stack
