#include "protocol/config/configuration.hpp"

#include "protocol/config/limits.hpp"
#include "protocol/ui/resource_address.hpp"

#include <deque>
#include <optional>
#include <utility>

namespace tofud::config {
namespace {

// A module that is to be read: how it is called, and where it lies.
struct called_module {
  std::string path;  // "module.a.module.b"
  std::string key;   // "a.b"
  std::string directory;
  std::size_t depth;
};

class configuration_reader {
 public:
  configuration_reader(const module_manifest& manifest, const directory_reader& read)
      : manifest_{manifest}, read_{read} {}

  configuration read() {
    add(manifest_.problems);
    waiting_.push_back({"", "", ".", 0});
    while (!waiting_.empty()) {
      const called_module next = std::move(waiting_.front());
      waiting_.pop_front();
      const auto source = source_of(next.directory);
      found_.modules.emplace(next.path, source);
      for (const auto& [address, declared] : source->blocks) {
        if (declared.kind == block_kind::module_call) follow(next, declared);
      }
    }
    return std::move(found_);
  }

 private:
  void add(const std::vector<problem>& problems) {
    for (const problem& each : problems) add(each);
  }

  void add(const problem& wrong) {
    if (found_.problems.size() < limits::module_problems) {
      found_.problems.push_back(wrong);
    } else {
      ++found_.problems_left_out;
    }
  }

  std::shared_ptr<const module_source> source_of(const std::string& directory) {
    auto& source = sources_[directory];
    if (source) return source;
    source = std::make_shared<const module_source>(read_module(directory, read_(directory)));
    add(source->problems);
    return source;
  }

  void follow(const called_module& caller, const block& call) {
    const std::string_view name = std::string_view{call.address}.substr(7);  // behind "module."
    called_module called;
    called.path = caller.path.empty() ? call.address : caller.path + '.' + call.address;
    called.key = caller.key.empty() ? std::string{name} : caller.key + '.' + std::string{name};
    called.depth = caller.depth + 1;
    const auto directory = directory_of(called.key, caller.directory, call.source);
    if (!directory) {
      return add({call.at, call.address + ": its files are missing; run tofu init"});
    }
    called.directory = *directory;
    if (called.depth > limits::module_depth) {
      return add({call.at, call.address + ": modules call each other too deep here"});
    }
    if (++calls_ > limits::module_calls) {
      return add({call.at, call.address + ": too many modules are called; it is ignored"});
    }
    waiting_.push_back(std::move(called));
  }

  std::optional<std::string> directory_of(const std::string& key, const std::string& caller,
                                          const std::string& source) const {
    const auto known = manifest_.directories.find(key);
    if (known != manifest_.directories.end()) return path_in(".", known->second);
    const bool is_path = source.starts_with("./") || source.starts_with("../");
    if (!is_path) return {};
    return path_in(caller, source);
  }

  const module_manifest& manifest_;
  const directory_reader& read_;
  configuration found_;
  std::map<std::string, std::shared_ptr<const module_source>> sources_;  // by directory
  std::deque<called_module> waiting_;
  std::size_t calls_ = 0;
};

}  // namespace

std::size_t module_size(std::string_view names) {
  std::size_t behind = 0;
  while (names.substr(behind).starts_with("module.")) {
    const std::size_t dot = names.find('.', behind + 7);
    if (dot == std::string_view::npos) break;
    behind = dot + 1;
  }
  return behind;
}

const block* configuration::find(std::string_view address) const {
  const auto names = ui::without_keys(address);
  if (!names) return nullptr;
  const std::size_t size = module_size(*names);
  const std::string_view path = std::string_view{*names}.substr(0, size == 0 ? 0 : size - 1);
  const auto module = modules.find(path);
  if (module == modules.end()) return nullptr;
  const auto found = module->second->blocks.find(std::string_view{*names}.substr(size));
  return found == module->second->blocks.end() ? nullptr : &found->second;
}

configuration read_configuration(const module_manifest& manifest, const directory_reader& read) {
  return configuration_reader{manifest, read}.read();
}

}  // namespace tofud::config
