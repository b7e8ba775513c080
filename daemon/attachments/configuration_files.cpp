#include "daemon/attachments/configuration_files.hpp"

#include "daemon/attachments/limits.hpp"
#include "protocol/config/file_names.hpp"
#include "protocol/text/sizes.hpp"

#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace tofud::attachments {
namespace {

namespace fs = std::filesystem;

// What a whole regular file holds, or why that is unknown.
struct read_text {
  std::optional<std::string> text;
  std::string failure;
};

read_text read_file(const fs::path& path, std::size_t most) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) {
    return {{}, failed ? failed.message() : "it is not a regular file"};
  }
  std::ifstream file{path, std::ios::binary};
  if (!file) return {{}, std::generic_category().message(errno)};
  std::string text(std::min<std::size_t>(fs::file_size(path, failed), most) + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most) {
    return {{}, "it has more than " + std::to_string(most / limits::kib) + " KiB"};
  }
  return {std::move(text), {}};
}

// Counts what it reads, so that no tree of directories is too much.
class configuration_files {
 public:
  explicit configuration_files(const fs::path& root) : root_{root} {}

  config::source_directory read(const std::string& directory) {
    config::source_directory found;
    for (std::string& name : config::module_files(names_in(directory, found))) {
      take(directory, std::move(name), found);
    }
    return found;
  }

  std::vector<config::locked_provider> providers() const {
    std::error_code failed;
    const fs::path name = root_ / ".terraform.lock.hcl";
    if (!fs::exists(name, failed)) return {};  // there is none before `tofu init`
    const read_text file = read_file(name, limits::module_file_bytes);
    return file.text ? config::read_lock_file(*file.text) : std::vector<config::locked_provider>{};
  }

  config::module_manifest manifest(const fs::path& data_directory) const {
    const std::string name = (data_directory / "modules" / "modules.json").generic_string();
    std::error_code failed;
    if (!fs::exists(root_ / name, failed)) return {};  // there is none before `tofu init`
    const read_text manifest = read_file(root_ / name, limits::module_file_bytes);
    if (manifest.text) return config::read_manifest(name, *manifest.text);
    config::module_manifest none;
    none.problems.push_back({{name, {}}, "can't be read: " + manifest.failure});
    return none;
  }

 private:
  std::vector<std::string> names_in(const std::string& directory, config::source_directory& found) {
    std::error_code failed;
    std::vector<std::string> names;
    for (fs::directory_iterator each{root_ / directory, failed}, end; !failed && each != end;
         each.increment(failed)) {
      std::string name = each->path().filename().string();
      if (config::syntax_of(name) == config::file_syntax::none) continue;
      std::error_code unknown;
      if (each->is_directory(unknown)) continue;
      if (names.size() == limits::module_files) {
        leave_out(directory, "has more than " + std::to_string(names.size()) + " files", found);
        break;
      }
      names.push_back(std::move(name));
    }
    if (failed) leave_out(directory, "can't be read: " + failed.message(), found);
    return names;
  }

  void take(const std::string& directory, std::string name, config::source_directory& found) {
    const std::string path = config::path_in(directory, name);
    if (files_ == limits::configuration_files || bytes_ == limits::configuration_bytes) {
      return leave_out(path, "is skipped: the configuration is too large", found);
    }
    ++files_;
    const std::size_t room = limits::configuration_bytes - bytes_;
    read_text file = read_file(root_ / path, std::min(limits::module_file_bytes, room));
    if (!file.text) return leave_out(path, "can't be read: " + file.failure, found);
    bytes_ += file.text->size();
    found.files.push_back({std::move(name), std::move(*file.text)});
  }

  static void leave_out(const std::string& path, std::string why, config::source_directory& found) {
    found.problems.push_back({{path, {}}, std::move(why)});
  }

  const fs::path& root_;
  std::size_t files_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

config::configuration read_from_disk(const fs::path& root, const fs::path& data_directory) {
  configuration_files files{root};
  const config::module_manifest manifest =
      files.manifest(data_directory.empty() ? fs::path{".terraform"} : data_directory);
  config::configuration read = config::read_configuration(
      manifest, [&](const std::string& directory) { return files.read(directory); });
  read.providers = files.providers();
  return read;
}

}  // namespace tofud::attachments
