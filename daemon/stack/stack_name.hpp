// What a run is applied to, as a name: the same for a plan and its apply, on every machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tofud::stack {

/// Where a command of OpenTofu runs.
struct command_place {
  std::filesystem::path directory;       // its working directory
  std::string chdir;                     // of its last -chdir=; empty: none
  std::optional<std::string> workspace;  // TF_WORKSPACE
  std::optional<std::string> data_dir;   // TF_DATA_DIR
  std::string host;                      // this machine's name
};

/// "github.com/acme/infra//net/prod@default", else "HOST:DIR@WORKSPACE"; with "#k" for a backend
/// that is not the default local one (`backend_mark`). Empty if the directory isn't there.
std::string stack_name(const command_place& place);

/// The backend's type in that place, as it was initialised; empty: local, or none.
std::string backend_type_of(const command_place& place);

/// `backend_mark` of that place; empty: the default local backend.
std::string backend_mark_of(const command_place& place);

/// The workspace chosen there, "default" if none was.
std::string workspace_of(const command_place& place);

/// This machine's name, as gethostname(2) says.
std::string host_name();

}  // namespace tofud::stack
