#include "protocol/config/block.hpp"

#include "protocol/text/characters.hpp"

#include <array>
#include <ostream>
#include <set>
#include <type_traits>
#include <utility>

namespace tofud::config {

std::string to_string(const place& where) {
  return where.file + ':' + std::to_string(where.at.line) + ':' + std::to_string(where.at.column);
}

std::ostream& operator<<(std::ostream& out, const place& where) { return out << to_string(where); }

std::ostream& operator<<(std::ostream& out, const problem& wrong) {
  return out << wrong.where << ": " << wrong.what;
}

std::ostream& operator<<(std::ostream& out, const provisioner& declared) {
  out << declared.type;
  if (declared.when == provision_time::destroy) out << " when destroyed";
  if (declared.failing == on_failure::go_on) out << " or go on";
  return out << " (" << declared.at.line << ':' << declared.at.column << ')';
}

std::ostream& operator<<(std::ostream& out, const reference& made) {
  return out << made.argument << " -> " << made.target;
}

std::string name_failure(std::string_view name) {
  if (text::is_identifier(name)) return {};
  return text::quoted(name) + " is not a name; the block is ignored";
}

std::string address_of(block_kind kind, std::string_view first, std::string_view second) {
  std::string address;
  switch (kind) {
    case block_kind::managed:
      break;
    case block_kind::data:
      address = "data.";
      break;
    case block_kind::ephemeral:
      address = "ephemeral.";
      break;
    case block_kind::module_call:
      address = "module.";
      break;
    case block_kind::variable:
      address = "var.";
      break;
    case block_kind::local:
      address = "local.";
      break;
    case block_kind::output:
      address = "output.";
      break;
    case block_kind::provider:
      address = "provider.";
      break;
  }
  address.append(first);
  if (!second.empty()) address.append(".").append(second);
  return address;
}

std::string provider_name(std::string_view expression) {
  if (expression.size() >= 2 && expression.front() == '"' && expression.back() == '"')
    expression = expression.substr(1, expression.size() - 2);
  const std::size_t dot = expression.find('.');
  const std::string_view name = expression.substr(0, dot);
  if (!name_failure(name).empty()) return {};
  if (dot != std::string_view::npos && !name_failure(expression.substr(dot + 1)).empty()) return {};
  return std::string{expression};
}

void add_alias(block& provider, std::string_view alias) {
  if (name_failure(alias).empty()) provider.address.append(".").append(alias);
}

bool is_resource(std::string_view address) {
  return !address.starts_with("var.") && !address.starts_with("local.") &&
         !address.starts_with("output.") && !address.starts_with("provider.") &&
         !address.starts_with("module.");
}

void drop_repeats(block& in) {
  const auto drop = [](auto& all) {
    std::set<typename std::decay_t<decltype(all)>::value_type> seen;
    std::erase_if(all, [&](const auto& each) { return !seen.insert(each).second; });
  };
  drop(in.references);
  drop(in.arguments);
}

std::optional<top_level_type> find_top_level(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, top_level_type>, 7> types{{
      {"resource", {block_kind::managed, 2}},
      {"data", {block_kind::data, 2}},
      {"ephemeral", {block_kind::ephemeral, 2}},
      {"module", {block_kind::module_call, 1}},
      {"variable", {block_kind::variable, 1}},
      {"output", {block_kind::output, 1}},
      {"provider", {block_kind::provider, 1}},
  }};
  for (const auto& [name, found] : types) {
    if (name == type) return found;
  }
  return {};
}

bool refers_to_nothing(block_kind kind, std::string_view argument) {
  switch (kind) {
    case block_kind::managed:
    case block_kind::data:
    case block_kind::ephemeral:
      return argument == "provider" || argument == "lifecycle.ignore_changes";
    case block_kind::module_call:
      return argument == "source" || argument == "version" || argument == "providers";
    case block_kind::variable:
      return argument == "default" || argument == "type" || argument == "description";
    case block_kind::output:
      return argument == "description" || argument == "sensitive";
    case block_kind::provider:
      return argument == "alias" || argument == "version";
    case block_kind::local:
      return false;
  }
  return false;
}

std::optional<bool> literal_bool(std::string_view text) {
  if (text == "true" || text == "\"true\"") return true;
  if (text == "false" || text == "\"false\"") return false;
  return {};
}

}  // namespace tofud::config
