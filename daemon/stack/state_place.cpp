#include "daemon/stack/state_place.hpp"

namespace tofud::stack {

namespace fs = std::filesystem;

state_place state_place_of(const command_place& place) {
  state_place found;
  if (!backend_mark_of(place).empty()) found.backend = backend_type_of(place);
  const std::string workspace = workspace_of(place);
  fs::path directory = place.chdir;
  if (workspace != "default") directory /= fs::path{"terraform.tfstate.d"} / workspace;
  found.file = directory / "terraform.tfstate";
  return found;
}

fs::path lock_file_of(const fs::path& state) {
  return state.parent_path() / ("." + state.filename().string() + ".lock.info");
}

}  // namespace tofud::stack
