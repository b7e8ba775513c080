#include "daemon/cli/command_tree.hpp"

#include "daemon/cli/command.hpp"

#include <utility>

namespace tofud::cli {
namespace {

described_option describe(const option& from) {
  described_option described{from.names(), from.value_name(), from.words(), from.help(),
                             from.variable_name()};
  if (!from.operand().empty())
    described.value = from.operand();
  else if (!from.is_flag() && described.value.empty())
    described.value = "TEXT";
  return described;
}

described_option describe_flag(std::string_view names, std::string_view help) {
  bool none = false;
  return describe(option{names, &none, std::string{help}});
}

void add(const command& from, const std::string& path, std::vector<described_command>& all) {
  described_command described;
  described.path = path;
  described.description = from.description().substr(0, from.description().find('\n'));
  described.options.push_back(describe_flag(help_names, help_help));
  described.options.push_back(describe_flag(help_all_names, help_all_help));
  if (path.empty())
    described.options.push_back(describe_flag("--version", "Print the version and exit"));
  for (const option& each : from.options()) {
    described.options.push_back(describe(each));
  }
  all.push_back(std::move(described));
  for (const command& each : from.commands()) {
    if (!each.is_hidden()) add(each, path.empty() ? each.name() : path + " " + each.name(), all);
  }
}

}  // namespace

std::vector<described_command> command_tree(const command& line) {
  std::vector<described_command> all;
  add(line, "", all);
  return all;
}

}  // namespace tofud::cli
