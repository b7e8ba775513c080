#include "daemon/attachments/schema_cache.hpp"

#include "daemon/attachments/limits.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/private_file.hpp"
#include "protocol/text/sha256.hpp"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace tofud::attachments {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".json.gz";
constexpr std::string_view unfinished = ".part";
/// Nobody takes so long to write a file: its writer was killed.
constexpr std::chrono::hours left_behind{1};

struct kept_file {
  fs::path path;
  fs::file_time_type used;
  std::uint64_t bytes = 0;
};

/// Those that are whole, the one that was not used for longest first; removes what was left behind.
std::vector<kept_file> files_in(const std::string& directory) {
  std::vector<kept_file> all;
  std::error_code failed;
  for (fs::directory_iterator each{directory, failed}, end; !failed && each != end;
       each.increment(failed)) {
    std::error_code gone;
    const std::string name = each->path().filename().string();
    kept_file file{each->path(), each->last_write_time(gone), each->file_size(gone)};
    if (gone) continue;
    if (name.ends_with(ending)) {
      all.push_back(std::move(file));
    } else if (name.ends_with(unfinished) &&
               fs::file_time_type::clock::now() - file.used > left_behind) {
      fs::remove(file.path, gone);
    }
  }
  std::sort(all.begin(), all.end(),
            [](const kept_file& a, const kept_file& b) { return a.used < b.used; });
  return all;
}

/// The files that may be the program's configuration. One too many does no harm.
std::vector<std::string> program_configurations(const stack::environment& env) {
  std::vector<std::string> all;
  for (const char* name : {"TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"}) {
    if (auto path = env(name)) all.push_back(std::move(*path));
  }
  const auto add = [&](const char* variable, std::string_view below) {
    if (const auto directory = env(variable)) all.push_back(*directory + std::string{below});
  };
  for (const char* below : {"/.tofurc", "/.terraformrc", "/.config/opentofu/tofurc"})
    add("HOME", below);
  add("XDG_CONFIG_HOME", "/opentofu/tofurc");
  return all;
}

}  // namespace

schema_cache::schema_cache(const std::string& directory, std::uint64_t most)
    : directory_{directory.empty() ? "" : directory + "/schemas"}, most_{most} {}

std::string schema_cache::path_of(const std::string& key) const {
  return directory_ + "/" + key + std::string{ending};
}

std::optional<std::string> schema_cache::find(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  std::string path = path_of(key);
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
      ::access(path.c_str(), R_OK) != 0) {
    return std::nullopt;
  }
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return path;
}

void schema_cache::keep(const std::string& key, std::string_view compressed) const {
  if (directory_.empty() || compressed.empty() || compressed.size() > most_) return;
  std::error_code failed;
  const fs::path above = fs::path{directory_}.parent_path();
  fs::create_directories(above.parent_path(), failed);
  ::mkdir(above.c_str(), 0700);
  ::mkdir(directory_.c_str(), 0700);
  if (files::write_private(path_of(key), compressed).empty()) make_room();
}

void schema_cache::drop(const std::string& key) const {
  std::error_code failed;
  if (!directory_.empty()) fs::remove(path_of(key), failed);
}

void schema_cache::make_room() const {
  const auto all = files_in(directory_);
  std::uint64_t bytes = 0;
  for (const kept_file& each : all) bytes += each.bytes;
  for (const kept_file& each : all) {
    if (bytes <= most_) return;
    std::error_code failed;
    if (fs::remove(each.path, failed)) bytes -= each.bytes;
  }
}

std::string schemas_key(std::string_view lock_file, const stack::tofu_version& program,
                        bool uses_builtin) {
  std::string all = program.name() + (uses_builtin ? "\nbuiltin\n" : "\n\n");
  all.append(lock_file);
  return text::sha256_hex(all);
}

bool develops_providers(const stack::environment& env) {
  if (env("TF_REATTACH_PROVIDERS")) return true;
  const auto all = program_configurations(env);
  return std::any_of(all.begin(), all.end(), [](const std::string& path) {
    const auto text = text::or_empty(files::read_document(path, limits::module_file_bytes));
    return text.find("dev_overrides") != std::string::npos;
  });
}

}  // namespace tofud::attachments
