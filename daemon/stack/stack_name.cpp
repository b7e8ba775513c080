#include "daemon/stack/stack_name.hpp"

#include "daemon/stack/backend_mark.hpp"
#include "daemon/stack/git_remote.hpp"
#include "daemon/stack/small_file.hpp"

#include <climits>

#include <array>
#include <unistd.h>

namespace tofud::stack {
namespace {

namespace fs = std::filesystem;

fs::path real_directory(const command_place& place) {
  std::error_code failed;
  const fs::path real = fs::canonical(place.directory / place.chdir, failed);
  return failed ? fs::path{} : real;
}

fs::path data_directory(const command_place& place, const fs::path& real) {
  const bool given = place.data_dir && !place.data_dir->empty();
  return real / (given ? fs::path{*place.data_dir} : fs::path{".terraform"});
}

// Terragrunt copies a module to a new directory for each version of it.
fs::path without_cache(const fs::path& directory) {
  fs::path kept;
  for (const fs::path& part : directory) {
    if (part == ".terragrunt-cache") return kept;
    kept /= part;
  }
  return directory;
}

std::string workspace(const command_place& place, const fs::path& data) {
  if (place.workspace && !place.workspace->empty()) return *place.workspace;
  const auto chosen = small_word(data / "environment");
  return chosen && !chosen->empty() ? *chosen : "default";
}

// OpenTofu keeps there what the backend is, not the state.
std::string mark_in(const fs::path& data) {
  const auto state = small_file(data / "terraform.tfstate");
  return state ? backend_mark(*state) : "";
}

}  // namespace

std::string stack_name(const command_place& place) {
  const fs::path real = real_directory(place);
  if (real.empty()) return "";
  const fs::path data = data_directory(place, real);
  const fs::path named = without_cache(real);
  std::string name;
  if (const auto repository = repository_of(named); repository && !repository->remote.empty()) {
    name = repository->remote + "//" + named.lexically_relative(repository->top).string();
  } else {
    name = place.host + ":" + named.string();
  }
  name += "@" + workspace(place, data);
  const std::string mark = mark_in(data);
  return mark.empty() ? name : name + "#" + mark;
}

std::string backend_type_of(const command_place& place) {
  const fs::path real = real_directory(place);
  if (real.empty()) return "";
  const auto state = small_file(data_directory(place, real) / "terraform.tfstate");
  return state ? backend_type(*state) : "";
}

std::string backend_mark_of(const command_place& place) {
  const fs::path real = real_directory(place);
  return real.empty() ? "" : mark_in(data_directory(place, real));
}

std::string workspace_of(const command_place& place) {
  const fs::path real = real_directory(place);
  return real.empty() ? "default" : workspace(place, data_directory(place, real));
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

}  // namespace tofud::stack
