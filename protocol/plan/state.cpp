#include "protocol/plan/state.hpp"

#include "protocol/json/ranges.hpp"
#include "protocol/plan/format_version.hpp"

#include <optional>
#include <utility>

namespace tofud::plan {
namespace {

using json::kind;
using json::value;

std::optional<failure> read_values(std::string_view text, state_document& into) {
  if (text == "null") return {};
  const auto members = json::members_of(text);
  if (!members) return failure{error::no_object, "values"};
  for (const json::range& each : *members) {
    if (each.key == "outputs" && each.text != "null") into.outputs = each.text;
    if (each.key == "root_module" && each.text != "null") into.root_module = each.text;
  }
  return {};
}

std::optional<failure> read_elements(const json::range& from, const std::string& path,
                                     std::vector<std::string_view>& to) {
  if (from.text == "null") return {};
  const auto found = json::elements_of(from.text);
  if (!found) return failure{error::no_array, path + "." + from.key};
  for (const json::range& each : *found) to.push_back(each.text);
  return {};
}

}  // namespace

result<state_document> read_state(std::string_view text) {
  const auto members = json::members_of(text);
  if (!members) return failure{error::no_json_object};
  state_document made;
  for (const json::range& each : *members) {
    if (each.key == "format_version") made.format_version = json::plain_string(each.text);
    if (each.key == "terraform_version") made.terraform_version = json::plain_string(each.text);
    if (each.key == "checks") made.checks = each.text;
    if (each.key == "values") {
      if (auto wrong = read_values(each.text, made)) return std::move(*wrong);
    }
  }
  if (auto refused = refused_version(made.format_version)) return std::move(*refused);
  return made;
}

result<state_module> read_state_module(std::string_view text, const std::string& path) {
  state_module made;
  if (text.empty()) return made;
  const auto members = json::members_of(text);
  if (!members) return failure{error::no_object, path};
  for (const json::range& each : *members) {
    std::optional<failure> wrong;
    if (each.key == "resources") wrong = read_elements(each, path, made.resources);
    if (each.key == "child_modules") wrong = read_elements(each, path, made.child_modules);
    if (wrong) return std::move(*wrong);
    if (each.key == "address") made.address = json::plain_string(each.text);
  }
  return made;
}

bool is_empty(const state_document& state) {
  if (!state.outputs.empty()) {
    const auto outputs = json::members_of(state.outputs);
    if (!outputs || !outputs->empty()) return false;
  }
  const auto root = read_state_module(state.root_module, "");
  return root && root->resources.empty() && root->child_modules.empty();
}

result<state_resource> read_state_resource(value from, const std::string& path) {
  if (!from.is(kind::object)) return failure{error::no_object, path};
  const auto address = from["address"].string();
  if (!address) return failure{error::no_string, path + ".address"};
  state_resource made;
  made.address = *address;
  const auto text = [&](std::string_view name) { return from[name].string().value_or(""); };
  made.mode = text("mode");
  made.type = text("type");
  made.name = text("name");
  made.provider_name = text("provider_name");
  made.deposed_key = text("deposed_key");
  made.tainted = from["tainted"].is(kind::boolean_true);
  made.index = from["index"];
  made.values = from["values"];
  made.sensitive_values = from["sensitive_values"];
  made.depends_on = from["depends_on"];
  return made;
}

}  // namespace tofud::plan
