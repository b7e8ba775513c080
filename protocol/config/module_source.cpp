#include "protocol/config/module_source.hpp"

#include "protocol/config/file_names.hpp"
#include "protocol/config/json_file.hpp"
#include "protocol/config/native_file.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

namespace tofud::config {
namespace {

file_blocks read_file(const std::string& path, const source_file& file) {
  const bool json = syntax_of(file.name) == file_syntax::json;
  return json ? read_json_file(path, file.text) : read_native_file(path, file.text);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Arguments and blocks replace those of their name; provisioners go together, what `lifecycle` says
// goes one by one.
void override_block(block& base, block with) {
  if (has(with.arguments, "provisioner")) base.provisioners = std::move(with.provisioners);
  if (has(with.arguments, "lifecycle.create_before_destroy")) {
    base.create_before_destroy = with.create_before_destroy;
  }
  override_annotation(base.said, std::move(with.said));
  if (has(with.arguments, "source")) base.source = std::move(with.source);
  if (has(with.arguments, "provider")) base.provider = std::move(with.provider);
  if (has(with.arguments, "providers")) base.providers = std::move(with.providers);
  const std::set<std::string> replaced{with.arguments.begin(), with.arguments.end()};
  std::erase_if(base.references, [&](const reference& made) {
    return replaced.contains(made.argument) || base.kind == block_kind::local;
  });
  std::move(with.references.begin(), with.references.end(), std::back_inserter(base.references));
  std::move(with.arguments.begin(), with.arguments.end(), std::back_inserter(base.arguments));
  drop_repeats(base);
}

class module_reader {
 public:
  explicit module_reader(std::string_view directory) : directory_{directory} {}

  module_source read(const source_directory& from) {
    module_.problems = from.problems;
    std::map<std::string_view, const source_file*> by_name;
    std::vector<std::string> names;
    for (const source_file& file : from.files) {
      by_name.emplace(file.name, &file);
      names.push_back(file.name);
    }
    for (const std::string& name : module_files(std::move(names))) take(*by_name.at(name));
    return std::move(module_);
  }

 private:
  void take(const source_file& file) {
    file_blocks found = read_file(path_in(directory_, file.name), file);
    std::move(found.problems.begin(), found.problems.end(), std::back_inserter(module_.problems));
    const bool overrides = is_override(file.name);
    for (block& each : found.blocks) {
      if (overrides) {
        take_override(std::move(each));
      } else {
        take_block(std::move(each));
      }
    }
  }

  void take_block(block declared) {
    const std::string address = declared.address;
    const auto known = module_.blocks.find(address);
    if (known == module_.blocks.end()) {
      module_.blocks.emplace(address, std::move(declared));
      return;
    }
    module_.problems.push_back({declared.at, address + " is declared in " +
                                                 to_string(known->second.at) +
                                                 " already; this one is ignored"});
  }

  void take_override(block with) {
    const auto base = module_.blocks.find(with.address);
    if (base == module_.blocks.end()) {
      module_.problems.push_back(
          {with.at, with.address + " is declared in no other file that this one could override"});
      return;
    }
    override_block(base->second, std::move(with));
  }

  std::string_view directory_;
  module_source module_;
};

}  // namespace

module_source read_module(std::string_view directory, const source_directory& from) {
  return module_reader{directory}.read(from);
}

std::string path_in(std::string_view directory, std::string_view name) {
  const std::string path =
      (std::filesystem::path{directory} / name).lexically_normal().generic_string();
  if (path.size() > 1 && path.ends_with('/')) return path.substr(0, path.size() - 1);
  return path.empty() ? "." : path;
}

}  // namespace tofud::config
