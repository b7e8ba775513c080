#include "protocol/redact/sensitive_names.hpp"

#include "protocol/diagnostics/attribute_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tofud::redact {
namespace {

// What any resource may have in it, and what stands in those blocks (OpenTofu's pages on
// meta-arguments and provisioners). `password` and the like of a connection are left out.
constexpr std::array<std::string_view, 33> language{"command",        "condition",
                                                    "connection",     "content",
                                                    "count",          "create_before_destroy",
                                                    "depends_on",     "destination",
                                                    "destroy",        "dynamic",
                                                    "enabled",        "error_message",
                                                    "for_each",       "host",
                                                    "ignore_changes", "inline",
                                                    "interpreter",    "iterator",
                                                    "lifecycle",      "on_failure",
                                                    "port",           "postcondition",
                                                    "precondition",   "prevent_destroy",
                                                    "provider",       "provisioner",
                                                    "quiet",          "replace_triggered_by",
                                                    "script",         "scripts",
                                                    "type",           "when",
                                                    "working_dir"};

bool is_secret(const schema::attribute& of) { return of.sensitive || of.write_only; }

}  // namespace

sensitive_names::sensitive_names(const schema::block& within) { learn(within); }

void sensitive_names::learn(const std::vector<schema::attribute>& attributes, bool inside) {
  for (const schema::attribute& each : attributes) {
    const bool hidden = inside || is_secret(each);
    known_.insert(each.name);
    if (hidden) hidden_.insert(each.name);
    if (hidden) learn_members(each.type);
    if (each.nested) learn(each.nested->attributes, hidden);
  }
}

void sensitive_names::learn(const schema::block& within) {
  learn(within.attributes, false);
  for (const schema::block_type& each : within.blocks) {
    known_.insert(each.name);
    learn(each.block);
  }
}

void sensitive_names::learn_members(const schema::type& of) {
  for (const schema::type& each : of.elements) learn_members(each);
  for (const schema::type::member& each : of.members) {
    hidden_.insert(each.name);
    learn_members(each.of);
  }
}

bool sensitive_names::hides(std::string_view name) const {
  if (hidden_.contains(name)) return true;
  if (!any() || known_.contains(name)) return false;
  return std::find(language.begin(), language.end(), name) == language.end();
}

bool is_sensitive(const schema::block& within, const std::vector<std::string_view>& names) {
  std::vector<std::string_view> some;
  for (const std::string_view each : names) {
    some.push_back(each);
    const diagnostics::named_place place = diagnostics::find_place(within, some);
    if (place.attribute != nullptr && is_secret(*place.attribute)) return true;
  }
  return false;
}

}  // namespace tofud::redact
