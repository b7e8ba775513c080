#include "daemon/cli/command_tree.hpp"

#include <CLI/CLI.hpp>

namespace tofud::commands {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(at), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// CLI11 adds to the name of a value's type what is checked: `WORD:{one,two}`.
void describe_value(const CLI::Option& option, described_option& described) {
  if (option.get_items_expected_max() == 0) return;
  std::string type = option.get_type_name();
  // A number with a unit lists all units, a file says twice that it is one.
  if (type.find(":SIZE [") != std::string::npos) type = "SIZE";
  if (type == "FILE:FILE") type = "FILE";
  const auto colon = type.find(":{");
  described.value = colon == std::string::npos ? type : type.substr(0, colon);
  if (colon == std::string::npos) return;
  const auto end = type.find('}', colon);
  described.choices = split(std::string_view{type}.substr(colon + 2, end - colon - 2), ',');
}

described_option describe(const CLI::Option& option) {
  described_option described;
  for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  describe_value(option, described);
  if (described.names.empty()) described.value = option.get_name(true);
  described.description = option.get_description();
  described.variable = option.get_envname();
  return described;
}

void add(const CLI::App& app, const std::string& path, std::vector<described_command>& all) {
  described_command described;
  described.path = path;
  described.description = split(app.get_description(), '\n').front();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) described.options.push_back(describe(*option));
  }
  all.push_back(std::move(described));
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_group().empty() || each->get_name().empty()) continue;
    add(*each, path.empty() ? each->get_name() : path + " " + each->get_name(), all);
  }
}

}  // namespace

std::vector<described_command> command_tree(const CLI::App& line) {
  std::vector<described_command> all;
  add(line, "", all);
  return all;
}

}  // namespace tofud::commands
