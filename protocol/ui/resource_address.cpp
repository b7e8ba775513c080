#include "protocol/ui/resource_address.hpp"

namespace tofud::ui {
namespace {

// One dotted segment with its instance key, such as `a["x.y"]`.
struct segment {
  std::string_view name, whole;
};

// Cuts the first segment off `rest`; nothing if it is malformed.
std::optional<segment> next_segment(std::string_view& rest) {
  std::size_t i = 0;
  while (i < rest.size() && rest[i] != '.' && rest[i] != '[') ++i;
  if (i == 0) return {};
  segment found{rest.substr(0, i), {}};
  if (i < rest.size() && rest[i] == '[') {
    bool quoted = false;
    for (++i;; ++i) {
      if (i >= rest.size()) return {};
      if (quoted && rest[i] == '\\') {
        ++i;
      } else if (rest[i] == '"') {
        quoted = !quoted;
      } else if (rest[i] == ']' && !quoted) {
        break;
      }
    }
    ++i;
  }
  found.whole = rest.substr(0, i);
  if (i == rest.size()) {
    rest = {};
  } else if (rest[i] == '.' && i + 1 < rest.size()) {
    rest.remove_prefix(i + 1);
  } else {
    return {};
  }
  return found;
}

}  // namespace

std::string_view mode_of(std::string_view resource) {
  if (resource.starts_with("data.")) return "data";
  if (resource.starts_with("ephemeral.")) return "ephemeral";
  return "managed";
}

std::optional<address_parts> parse_address(std::string_view address) {
  address_parts parts;
  std::string_view rest = address;
  while (rest.starts_with("module.")) {
    std::string_view after = rest.substr(7);
    if (!next_segment(after)) return {};
    if (after.empty()) return {};  // a module, no resource
    rest = after;
  }
  const std::size_t module_size = address.size() - rest.size();
  parts.module = address.substr(0, module_size == 0 ? 0 : module_size - 1);
  parts.resource = rest;
  parts.mode = mode_of(rest);
  if (parts.mode != "managed" && !next_segment(rest)) return {};
  const auto type = next_segment(rest);
  if (!type || type->name.size() != type->whole.size()) return {};
  const auto name = next_segment(rest);
  if (!name || !rest.empty()) return {};
  parts.type = type->name;
  parts.name = name->name;
  return parts;
}

std::optional<std::string> without_keys(std::string_view address) {
  std::string names;
  while (!address.empty()) {
    const auto next = next_segment(address);
    if (!next) return {};
    if (!names.empty()) names.push_back('.');
    names.append(next->name);
  }
  if (names.empty()) return {};
  return names;
}

}  // namespace tofud::ui
