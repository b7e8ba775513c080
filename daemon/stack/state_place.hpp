// Where OpenTofu keeps the state of a directory.
#pragma once

#include "daemon/stack/stack_name.hpp"

#include <filesystem>
#include <string>

namespace tofud::stack {

/// `backend` is the type of one that keeps the state elsewhere, or keeps it in a file of another
/// name; empty: `file` is where it is, or would be.
struct state_place {
  std::filesystem::path file;
  std::string backend;
};

/// Of the directory's workspace, as it was initialised: terraform.tfstate, or that of
/// terraform.tfstate.d/WORKSPACE. Relative to the directory of the command, without its -chdir.
state_place state_place_of(const command_place& place);

/// Of a state in a file: who has it locked, `.terraform.tfstate.lock.info` beside it
/// (statemgr.Filesystem). Whoever is killed leaves it behind.
std::filesystem::path lock_file_of(const std::filesystem::path& state);

}  // namespace tofud::stack
