// Runs that one program starts belong together.
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>

namespace tofud::stack {

/// "terragrunt-4711" for the process that started us: its program, or the script that a shell runs,
/// and its number. Empty for a shell that a person types into, and if /proc does not tell.
std::string group_of(pid_t parent, const std::filesystem::path& proc = "/proc");

}  // namespace tofud::stack
