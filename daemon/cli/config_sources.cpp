#include "daemon/cli/config_sources.hpp"

#include "daemon/cli/limits.hpp"
#include "daemon/files/regular_file.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/settings/limits.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace tofud::cli {
namespace {

/// Files of a directory that end in .toml and are not hidden, by name.
std::vector<std::string> toml_files(const std::string& directory) {
  std::vector<std::string> found;
  std::error_code failed;
  std::filesystem::directory_iterator each{directory, failed};
  for (; !failed && each != std::filesystem::directory_iterator{}; each.increment(failed)) {
    const std::string name = each->path().filename().string();
    if (name.ends_with(".toml") && !name.starts_with('.')) found.push_back(each->path().string());
  }
  // What it holds would be missed by nobody: who reads it is told why that can't be.
  if (failed && failed != std::errc::no_such_file_or_directory &&
      failed != std::errc::not_a_directory) {
    found.push_back(directory);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Empty: neither variable names a directory.
std::string user_place(const spool::environment& env) {
  const auto set = env("XDG_CONFIG_HOME").value_or("");
  if (set.starts_with('/')) return set + "/tofud/tofud.toml";
  const auto home = env("HOME").value_or("");
  return home.starts_with('/') ? home + "/.config/tofud/tofud.toml" : "";
}

bool is_missing(const std::string& path) {
  return ::access(path.c_str(), F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

void read_one(const std::string& path, settings::said_settings& into) {
  auto text = files::read_regular_file(path, limits::config_bytes);
  if (text) {
    into.from.files.push_back({path, std::move(*text)});
  } else {
    into.failures.push_back({"", text.error().text()});
  }
}

}  // namespace

std::vector<std::string> config_places(const spool::environment& env, const std::string& etc) {
  std::vector<std::string> places{etc + "/tofud.toml"};
  const auto parts = toml_files(etc + "/conf.d");
  places.insert(places.end(), parts.begin(), parts.end());
  if (std::string own = user_place(env); !own.empty()) places.push_back(std::move(own));
  return places;
}

settings::said_settings read_files(const std::vector<std::string>& paths) {
  settings::said_settings said;
  if (paths.size() > limits::config_files) {
    said.failures.push_back(
        {paths.front(),
         "is one of more than " + std::to_string(limits::config_files) + " files; join them"});
    return said;
  }
  for (const std::string& each : paths) read_one(each, said);
  return said;
}

settings::said_settings read_config(const std::string& named,
                                    std::vector<settings::given_flag> flags,
                                    const spool::environment& env) {
  const std::string only = named.empty() ? env("TOFUD_CONFIG").value_or("") : named;
  std::vector<std::string> paths{only};
  if (only.empty()) {
    paths = config_places(env);
    paths.erase(std::remove_if(paths.begin(), paths.end(), is_missing), paths.end());
  }
  auto said = read_files(paths);
  said.from.flags = std::move(flags);
  said.from.variables = env;
  return said;
}

std::optional<settings::effective> understand(const settings::said_settings& said) {
  auto [now, failures, warnings] = settings::merge(said.from);
  for (const settings::failure& each : warnings)
    files::write_all(STDERR_FILENO, "warning: " + to_string(each) + "\n");
  failures.insert(failures.begin(), said.failures.begin(), said.failures.end());
  std::string lines;
  for (const settings::failure& each : failures) lines += to_string(each) + "\n";
  if (lines.empty()) return std::move(now);
  files::write_all(STDERR_FILENO, lines);
  return std::nullopt;
}

}  // namespace tofud::cli
