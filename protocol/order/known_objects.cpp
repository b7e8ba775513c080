#include "protocol/order/known_objects.hpp"

#include "protocol/json/document.hpp"
#include "protocol/json/quote.hpp"
#include "protocol/plan/state.hpp"

namespace tofud::order {
namespace {

using json::kind;
using json::value;

enum class state_error : std::uint8_t { no_document, other_version };

std::string_view sentence(state_error what) {
  constexpr auto sentences = text::catalogue<state_error>({
      {state_error::no_document, "the state is {}"},
      {state_error::other_version, "the state is no state file of version 4"},
  });
  return sentences[what];
}

/// `["x"]`, `[0]` or nothing.
std::string key_of(value index) {
  std::string text;
  if (index.is(kind::number)) text.append("[").append(index.text()).append("]");
  if (const auto name = index.string()) {
    text.push_back('[');
    json::append_quoted(text, *name);
    text.push_back(']');
  }
  return text;
}

std::vector<std::string> texts_of(value list) {
  std::vector<std::string> texts;
  for (const value each : list) {
    if (const auto text = each.string()) texts.emplace_back(*text);
  }
  return texts;
}

void take_module(known_objects& into, std::string_view text, const std::string& path) {
  const auto module = plan::read_state_module(text, path);
  if (!module) return;
  for (const std::string_view each : module->resources) {
    plan::part parsed;
    if (parsed.parse(each, path)) continue;
    const auto resource = plan::read_state_resource(parsed.root(), path);
    if (!resource) continue;
    known_object& made = into[{std::string{resource->address}, std::string{resource->deposed_key}}];
    made.dependencies = texts_of(resource->depends_on);
  }
  for (const std::string_view each : module->child_modules) take_module(into, each, path);
}

}  // namespace

text::result<known_objects> read_state_file(std::string_view json) {
  json::document_parser parser{json::keep_everything};
  while (json.ends_with('\n')) json.remove_suffix(1);
  if (const auto wrong = parser.parse(json))
    return text::failure{state_error::no_document, json::describe(*wrong)};
  const value root = parser.root();
  if (root["version"].integer() != 4 || !root["resources"].is(kind::array))
    return text::failure{state_error::other_version};
  known_objects found;
  for (const value resource : root["resources"]) {
    std::string address{resource["module"].string().value_or("")};
    if (!address.empty()) address.push_back('.');
    if (resource["mode"].string() == "data") address.append("data.");
    address.append(resource["type"].string().value_or("")).append(".");
    address.append(resource["name"].string().value_or(""));
    for (const value instance : resource["instances"]) {
      known_object& made = found[{address + key_of(instance["index_key"]),
                                  std::string{instance["deposed"].string().value_or("")}}];
      made.dependencies = texts_of(instance["dependencies"]);
      made.create_before_destroy = instance["create_before_destroy"].is(kind::boolean_true);
    }
  }
  return found;
}

known_objects read_prior_state(const plan::document& from) {
  known_objects found;
  if (from.prior_state.empty()) return found;
  plan::part prior;
  if (prior.parse(from.prior_state, "prior_state")) return found;
  std::string root;
  const value module = prior.root()["values"]["root_module"];
  if (!module) return found;
  module.append_json(root);
  take_module(found, root, "prior_state.values.root_module");
  return found;
}

known_objects merged(known_objects prior, const known_objects& state) {
  for (const auto& [at, object] : state) {
    const auto [known, added] = prior.try_emplace(at, object);
    if (!added) known->second.create_before_destroy = object.create_before_destroy;
  }
  return prior;
}

}  // namespace tofud::order
