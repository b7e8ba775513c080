// What a Provider Code Specification is made of, as tables.
//
// After developer.hashicorp.com/terraform/plugin/code-generation/specification, version 0.1.0.
// Where its text and its tables differ, the stricter one is taken, except that a nested object of
// a block may have blocks: without them nothing could be nested twice.
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
  filled_text,  // not empty
  name,         // an identifier in lower case, not there twice in its list
  boolean,
  number,
  optional_required,
  computed_optional_required,
  object,  // of a shape, as are those of a list
  list,
  filled_list
};

enum class needed : bool { no, yes };

struct member {
  std::string_view name;
  form is;
  shape of = shape::none;
  where in = where::anywhere;
  needed is_needed = needed::no;
};

struct rules {
  /// In some tables, because shapes have members in common.
  std::array<std::span<const member>, 3> members = {};
  /// Of these there is exactly one.
  std::span<const member> one_of = {};
  /// Of these there is at least one.
  std::span<const std::string_view> some_of = {};
};

rules rules_of(shape of);

/// What a member is for that is known, but not in this shape, as a sentence's end; empty: it is
/// known nowhere.
std::string_view belonging_of(std::string_view name);

/// Words of the two forms that are lists of words; empty for other forms.
std::span<const std::string_view> words_of(form is);

}  // namespace tofud::schema::specification_grammar
