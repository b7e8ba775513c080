#include "protocol/schema/specification.hpp"
#include "protocol/schema/specification_grammar.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace tofud::schema {
namespace {

using json::kind;
using json::value;

std::string text_in(value of, std::string_view name) {
  return std::string{of[name].string().value_or("")};
}

template <class Named>
void put_in_order(std::vector<Named>& all) {
  std::sort(all.begin(), all.end(),
            [](const Named& one, const Named& other) { return one.name < other.name; });
}

/// Of an attribute, a block or a type: the member that says which kind it is. Attributes have all
/// the kinds that the others have.
value choice_of(value object) {
  using namespace specification_grammar;
  for (const member& each : rules_of(shape::attribute).one_of) {
    if (const value found = object[each.name]) return found;
  }
  return {};
}

type type_of(value choice);

std::vector<type::member> members_of(value attribute_types) {
  std::vector<type::member> all;
  for (const value each : attribute_types) {
    all.push_back({text_in(each, "name"), type_of(choice_of(each))});
  }
  put_in_order(all);
  return all;
}

/// The types of which a value is one whole; what is nested has none.
type type_of(value choice) {
  struct word {
    std::string_view name;
    type::kind what;
  };
  static constexpr std::array words = {
      word{"bool", type::kind::boolean},   word{"dynamic", type::kind::dynamic},
      word{"float64", type::kind::number}, word{"int64", type::kind::number},
      word{"list", type::kind::list},      word{"map", type::kind::map},
      word{"number", type::kind::number},  word{"object", type::kind::object},
      word{"set", type::kind::set},        word{"string", type::kind::string}};
  const auto found = std::find_if(words.begin(), words.end(),
                                  [choice](const word& each) { return each.name == choice.key(); });
  if (found == words.end()) return {};
  type made{found->what};
  if (const value element = choice["element_type"]) {
    made.elements.push_back(type_of(choice_of(element)));
  }
  made.members = members_of(choice["attribute_types"]);
  return made;
}

/// "list_nested" and its kin.
std::optional<nesting> nesting_of(std::string_view word) {
  if (word == "single_nested") return nesting::single;
  if (word == "list_nested") return nesting::list;
  if (word == "set_nested") return nesting::set;
  if (word == "map_nested") return nesting::map;
  return std::nullopt;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Calls such as `stringplanmodifier.RequiresReplace()` and `RequiresReplaceIfConfigured()`, the
/// modifiers of Terraform's plugin framework.
replacement replacement_of(std::string_view definition) {
  constexpr std::string_view call = "RequiresReplace";
  auto found = replacement::unsaid;
  for (auto at = definition.find(call); at != std::string_view::npos;
       at = definition.find(call, at + call.size())) {
    if (at > 0 && is_word(definition[at - 1])) continue;  // the end of another name
    const std::string_view rest = definition.substr(at + call.size());
    if (rest.starts_with('(')) return replacement::certain;
    if (rest.starts_with("If")) found = replacement::possible;
  }
  return found;
}

replacement replacement_of(value with_modifiers) {
  auto found = replacement::unsaid;
  for (const value each : with_modifiers["plan_modifiers"]) {
    const auto definition = each["custom"]["schema_definition"].string().value_or("");
    found = std::max(found, replacement_of(definition));
  }
  return found;
}

/// Of what validates the whole and of what validates each that is in it.
std::vector<std::string> validators_of(value choice) {
  std::vector<std::string> all;
  for (const value from : {choice, choice["nested_object"]}) {
    for (const value each : from["validators"]) {
      const auto definition = each["custom"]["schema_definition"].string();
      if (definition) all.emplace_back(*definition);
    }
  }
  return all;
}

/// What is nested in a kind that may be there often is in an object of its own.
value object_in(value choice) {
  const value inside = choice["nested_object"];
  return inside ? inside : choice;
}

std::vector<attribute> attributes_of(value list);

attribute attribute_of(value from) {
  const value choice = choice_of(from);
  attribute made;
  made.name = text_in(from, "name");
  if (const auto nested = nesting_of(choice.key())) {
    made.nested = std::make_shared<nested_attributes>(
        nested_attributes{*nested, attributes_of(object_in(choice)["attributes"])});
  } else {
    made.type = type_of(choice);
  }
  const value asked = choice["optional_required"] ? choice["optional_required"]
                                                  : choice["computed_optional_required"];
  const std::string_view need = asked.string().value_or("");
  made.required = need == "required";
  made.optional = need == "optional" || need == "computed_optional";
  made.computed = need.starts_with("computed");
  made.sensitive = choice["sensitive"].is(kind::boolean_true);
  made.description = text_in(choice, "description");
  made.deprecation_message = text_in(choice, "deprecation_message");
  made.deprecated = !made.deprecation_message.empty();
  made.replacement = std::max(replacement_of(choice), replacement_of(choice["nested_object"]));
  choice["default"]["static"].append_json(made.default_value);
  made.validators = validators_of(choice);
  return made;
}

std::vector<attribute> attributes_of(value list) {
  std::vector<attribute> all;
  for (const value each : list) all.push_back(attribute_of(each));
  put_in_order(all);
  return all;
}

block block_of(value schema);

block_type block_type_of(value from) {
  const value choice = choice_of(from);
  block_type made;
  made.name = text_in(from, "name");
  made.nesting = nesting_of(choice.key()).value_or(nesting::single);
  made.block = block_of(object_in(choice));
  made.block.description = text_in(choice, "description");
  made.block.deprecation_message = text_in(choice, "deprecation_message");
  made.block.deprecated = !made.block.deprecation_message.empty();
  made.replacement = std::max(replacement_of(choice), replacement_of(choice["nested_object"]));
  made.validators = validators_of(choice);
  return made;
}

block block_of(value schema) {
  block made;
  made.attributes = attributes_of(schema["attributes"]);
  for (const value each : schema["blocks"]) made.blocks.push_back(block_type_of(each));
  put_in_order(made.blocks);
  return made;
}

schemas::by_type specified_types(value list, const std::string& provider_name) {
  schemas::by_type all;
  for (const value each : list) {
    all.insert_or_assign(provider_name + "_" + text_in(each, "name"),
                         object_schema{0, block_of(each["schema"])});
  }
  return all;
}

}  // namespace

specification read_specification(value document) {
  const value provider = document["provider"];
  specification made;
  made.provider_name = text_in(provider, "name");
  if (const value own = provider["schema"]) {
    made.types.configuration = object_schema{0, block_of(own)};
  }
  made.types.resources = specified_types(document["resources"], made.provider_name);
  made.types.data_sources = specified_types(document["datasources"], made.provider_name);
  return made;
}

}  // namespace tofud::schema
