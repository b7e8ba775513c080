#include "daemon/stack/program.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace tofud::stack {
namespace {

/// An empty directory in PATH is the current one, as shells have it.
std::vector<std::string_view> directories(std::string_view path) {
  std::vector<std::string_view> all;
  for (;;) {
    const std::size_t colon = path.find(':');
    all.push_back(path.substr(0, colon));
    if (colon == std::string_view::npos) return all;
    path.remove_prefix(colon + 1);
  }
}

bool is_executable_file(const std::string& path) {
  struct stat file {};
  return ::stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<file_identity> identity_of(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return file_identity{file.st_dev, file.st_ino};
}

std::string next_in_path(std::string_view name, std::string_view path,
                         const file_identity& ourselves) {
  for (const std::string_view directory : directories(path)) {
    std::string candidate =
        (directory.empty() ? std::string{"."} : std::string{directory}) + "/" + std::string{name};
    if (!is_executable_file(candidate)) continue;
    if (const auto found = identity_of(candidate); found && !(*found == ourselves))
      return candidate;
  }
  return "";
}

std::string path_without(std::string_view path, std::string_view directory) {
  std::string kept;
  bool first = true;
  for (const std::string_view each : directories(path)) {
    if (each == directory) continue;
    if (!first) kept += ':';
    first = false;
    kept += each;
  }
  return kept;
}

}  // namespace tofud::stack
