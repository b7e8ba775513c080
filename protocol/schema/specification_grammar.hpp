// What a Provider Code Specification is made of, as tables.
//
// After the JSON Schema that HashiCorp publishes (terraform-plugin-codegen-spec v0.2.0,
// spec/v0.1/schema.json). The older text of the format (developer.hashicorp.com/terraform/plugin/
// code-generation/specification) forbids more: that is a warning.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace tofud::schema::specification_grammar {

/// Whose schema something stands in. What is nested stands where its parents do.
enum class where : std::uint8_t {
  provider = 1,
  data_source = 2,
  resource = 4,
  objects = data_source | resource,
  anywhere = provider | objects
};

constexpr bool allows(where in, where at) {
  return (static_cast<unsigned>(in) & static_cast<unsigned>(at)) != 0;
}

/// What an object is.
enum class shape : std::uint8_t {
  none,
  document,
  provider,
  typed,  // a resource or a data source
  schema,
  attribute,
  block,
  // what stands under the word of an attribute's type
  boolean_attribute,
  number_attribute,
  string_attribute,
  plain_attribute,  // of number and dynamic: no default of its own
  collection_attribute,
  object_attribute,
  nested_attribute,
  single_nested_attribute,
  // what stands under the word of a block's kind
  nested_block,
  single_nested_block,
  // what is nested in them
  attribute_object,
  block_object,
  // types inside collections and objects
  element_type,
  attribute_type,
  plain_type,
  collection_type,
  object_type,
  // Go code, and defaults
  boolean_default,
  number_default,
  string_default,
  other_default,
  behaviour,  // a validator or a plan modifier
  code,
  code_import,
  custom_type,
  external_type,
};

/// What a value has to be.
enum class form : std::uint8_t {
  text,
  filled_text,   // not empty
  text_to_fill,  // the same, by the older text alone
  version,       // at least three characters
  name,          // an identifier in lower case, not there twice in its list
  boolean,
  number,
  optional_required,
  computed_optional_required,
  object,  // of a shape, as are those of a list
  list,
  filled_list
};

enum class needed : bool { no, yes };

/// Members that a shape does not know.
enum class others : bool { passed_over, forbidden };

struct member {
  std::string_view name;
  form is;
  shape of = shape::none;
  where in = where::anywhere;
  needed is_needed = needed::no;
};

struct rules {
  /// In some tables, because shapes have members in common.
  std::array<std::span<const member>, 5> members = {};
  /// Of these there is exactly one.
  std::span<const member> one_of = {};
  others unknown = others::passed_over;
};

rules rules_of(shape of);

/// What a member is for that is known, but not in this shape, as a sentence's end; empty: it is
/// known nowhere.
std::string_view belonging_of(std::string_view name);

/// Words of the two forms that are lists of words; empty for other forms.
std::span<const std::string_view> words_of(form is);

}  // namespace tofud::schema::specification_grammar
