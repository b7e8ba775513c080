#include "protocol/order/plan_configuration.hpp"

#include "protocol/plan/configuration.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace tofud::order {
namespace {

using attachments::declared_block;

class reader {
 public:
  explicit reader(const plan::configuration& from) : from_{from} {}

  std::map<std::string, declared_block, std::less<>> read() {
    for (const auto& [path, module] : from_.modules) take(path, module);
    for (const auto& [key, provider] : from_.providers) {
      const std::string name = "provider." + name_of(provider);
      refer(blocks_[below(provider.module_address, name)], "", provider.refers_to);
    }
    return std::move(blocks_);
  }

 private:
  static std::string below(std::string_view path, std::string_view name) {
    std::string made{path};
    if (!made.empty()) made.push_back('.');
    return made.append(name);
  }

  /// `aws.west`.
  static std::string name_of(const plan::configured_provider& provider) {
    std::string name{provider.name};
    if (!provider.alias.empty()) name.append(".").append(provider.alias);
    return name;
  }

  static void refer(declared_block& block, std::string_view argument, const plan::references& to) {
    for (const std::string& each : to) block.references.push_back({std::string{argument}, each});
  }

  void take(const std::string& path, const plan::configured_module& module) {
    for (const auto& resource : module.resources) {
      declared_block& block = blocks_[below(path, resource.address)];
      refer(block, "", resource.refers_to);
      // Of a module it is the name of the provider there, or above it.
      const auto provider = from_.providers.find(resource.provider_config_key);
      if (provider != from_.providers.end() && provider->second.module_address == path)
        block.provider = name_of(provider->second);
    }
    for (const auto& output : module.outputs)
      refer(blocks_[below(path, "output." + std::string{output.name})], "", output.refers_to);
    for (const auto& variable : module.variables)
      blocks_[below(path, "var." + std::string{variable.name})];
    for (const auto& call : module.calls) {
      declared_block& block = blocks_[below(path, "module." + std::string{call.name})];
      refer(block, "depends_on", call.refers_to);
      for (const auto& [argument, references] : call.arguments) refer(block, argument, references);
    }
  }

  const plan::configuration& from_;
  std::map<std::string, declared_block, std::less<>> blocks_;
};

}  // namespace

attachments::config_facts configuration_in(const plan::document& from) {
  plan::part parsed;
  if (parsed.parse(from.configuration, "configuration")) return {};
  const auto read = plan::read_configuration(parsed.root());
  if (!read) return {};
  return attachments::config_facts::of(reader{*read}.read());
}

}  // namespace tofud::order
