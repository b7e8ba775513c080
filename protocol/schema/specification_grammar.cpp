#include "protocol/schema/specification_grammar.hpp"

namespace tofud::schema::specification_grammar {
namespace {

constexpr member must(member of) {
  of.is_needed = needed::yes;
  return of;
}

constexpr member only_in(where in, member of) {
  of.in = in;
  return of;
}

constexpr member object(std::string_view name, shape of) { return {name, form::object, of}; }
constexpr member list(std::string_view name, shape of) { return {name, form::list, of}; }

constexpr member named[] = {must({"name", form::name})};

constexpr member document[] = {must(object("provider", shape::provider)),
                               must({"version", form::version}), list("resources", shape::typed),
                               list("datasources", shape::typed)};
constexpr member provider[] = {object("schema", shape::schema)};
constexpr member typed[] = {must(object("schema", shape::schema))};

constexpr member schema[] = {list("attributes", shape::attribute),
                             list("blocks", shape::block),
                             {"description", form::text},
                             {"markdown_description", form::text},
                             {"deprecation_message", form::text}};

constexpr member attribute_kinds[] = {object("bool", shape::boolean_attribute),
                                      object("dynamic", shape::plain_attribute),
                                      object("float64", shape::number_attribute),
                                      object("int64", shape::number_attribute),
                                      object("list", shape::collection_attribute),
                                      object("list_nested", shape::nested_attribute),
                                      object("map", shape::collection_attribute),
                                      object("map_nested", shape::nested_attribute),
                                      object("number", shape::plain_attribute),
                                      object("object", shape::object_attribute),
                                      object("set", shape::collection_attribute),
                                      object("set_nested", shape::nested_attribute),
                                      object("single_nested", shape::single_nested_attribute),
                                      object("string", shape::string_attribute)};
constexpr member block_kinds[] = {object("list_nested", shape::nested_block),
                                  object("set_nested", shape::nested_block),
                                  object("single_nested", shape::single_nested_block)};
constexpr member element_types[] = {
    object("bool", shape::plain_type),     object("float64", shape::plain_type),
    object("int64", shape::plain_type),    object("list", shape::collection_type),
    object("map", shape::collection_type), object("number", shape::plain_type),
    object("object", shape::object_type),  object("set", shape::collection_type),
    object("string", shape::plain_type)};
constexpr member member_types[] = {
    object("bool", shape::plain_type),      object("dynamic", shape::plain_type),
    object("float64", shape::plain_type),   object("int64", shape::plain_type),
    object("list", shape::collection_type), object("map", shape::collection_type),
    object("number", shape::plain_type),    object("object", shape::object_type),
    object("set", shape::collection_type),  object("string", shape::plain_type)};

constexpr member described[] = {{"description", form::text},
                                {"deprecation_message", form::text},
                                object("custom_type", shape::custom_type),
                                list("validators", shape::behaviour),
                                only_in(where::resource, list("plan_modifiers", shape::behaviour))};

template <shape Default>
constexpr member of_attribute[] = {
    must(only_in(where::provider, {"optional_required", form::optional_required})),
    must(only_in(where::objects, {"computed_optional_required", form::computed_optional_required})),
    {"sensitive", form::boolean},
    only_in(where::resource, object("default", Default))};

constexpr member external[] = {object("associated_external_type", shape::external_type)};
constexpr member collection[] = {must(object("element_type", shape::element_type))};
constexpr member attributes_of_object[] = {
    must({"attribute_types", form::filled_list, shape::attribute_type})};
constexpr member attributes_of_type[] = {
    {"attribute_types", form::filled_list, shape::attribute_type}};
constexpr member attribute_objects[] = {must(object("nested_object", shape::attribute_object))};
constexpr member block_objects[] = {must(object("nested_object", shape::block_object))};
constexpr member attributes[] = {list("attributes", shape::attribute)};
constexpr member of_nested_object[] = {
    object("custom_type", shape::custom_type), list("validators", shape::behaviour),
    only_in(where::resource, list("plan_modifiers", shape::behaviour))};
constexpr member blocks[] = {list("blocks", shape::block)};
constexpr member block_default[] = {
    only_in(where::resource, object("default", shape::other_default))};

constexpr member any_type[] = {object("custom_type", shape::custom_type)};

constexpr member boolean_default[] = {{"static", form::boolean}, object("custom", shape::code)};
constexpr member number_default[] = {{"static", form::number}, object("custom", shape::code)};
constexpr member string_default[] = {{"static", form::text}, object("custom", shape::code)};
constexpr member custom[] = {must(object("custom", shape::code))};
constexpr member code[] = {must({"schema_definition", form::text_to_fill}),
                           {"imports", form::filled_list, shape::code_import}};
constexpr member code_import[] = {must({"path", form::filled_text}), {"alias", form::filled_text}};
constexpr member custom_type[] = {must({"type", form::filled_text}),
                                  must({"value_type", form::filled_text}),
                                  object("import", shape::code_import)};
constexpr member external_type[] = {must({"type", form::text_to_fill}),
                                    object("import", shape::code_import)};

struct belonging {
  std::string_view name, of;
};

constexpr std::string_view of_attributes = "is only for attributes";
constexpr belonging belongings[] = {
    {"element_type", "is only for list, map and set"},
    {"attribute_types", "is only for object"},
    {"nested_object", "is only for list_nested, map_nested and set_nested"},
    {"attributes", "is only for schema, single_nested and nested_object"},
    {"blocks", "is only for schema, and for single_nested and nested_object of blocks"},
    {"associated_external_type", "is not for list_nested, map_nested and set_nested"},
    {"static", "is only for bool, float64, int64 and string"},
    {"optional_required", of_attributes},
    {"computed_optional_required", of_attributes},
    {"sensitive", of_attributes},
    {"default", "is only for attributes and blocks of resources"},
    {"validators", "is only for attributes, blocks and nested_object"},
    {"plan_modifiers", "is only for attributes, blocks and nested_object of resources"},
};

}  // namespace

rules rules_of(shape of) {
  switch (of) {
    case shape::none:
      return {};
    case shape::document:
      return {{document}};
    case shape::provider:
      return {{named, provider}};
    case shape::typed:
      return {{named, typed}};
    case shape::schema:
      return {{schema}};
    case shape::attribute:
      return {{named}, attribute_kinds, others::forbidden};
    case shape::block:
      return {{named}, block_kinds, others::forbidden};
    case shape::boolean_attribute:
      return {{described, of_attribute<shape::boolean_default>, external}, {}, others::forbidden};
    case shape::number_attribute:
      return {{described, of_attribute<shape::number_default>, external}, {}, others::forbidden};
    case shape::string_attribute:
      return {{described, of_attribute<shape::string_default>, external}, {}, others::forbidden};
    case shape::plain_attribute:
      return {{described, of_attribute<shape::other_default>, external}, {}, others::forbidden};
    case shape::collection_attribute:
      return {{described, of_attribute<shape::other_default>, external, collection},
              {},
              others::forbidden};
    case shape::object_attribute:
      return {{described, of_attribute<shape::other_default>, external, attributes_of_object},
              {},
              others::forbidden};
    case shape::nested_attribute:
      return {{described, of_attribute<shape::other_default>, attribute_objects},
              {},
              others::forbidden};
    case shape::single_nested_attribute:
      return {{described, of_attribute<shape::other_default>, external, attributes},
              {},
              others::forbidden};
    case shape::nested_block:
      return {{described, block_objects, block_default}, {}, others::forbidden};
    case shape::single_nested_block:
      return {{described, external, attributes, blocks, block_default}, {}, others::forbidden};
    case shape::attribute_object:
      return {{of_nested_object, external, attributes}};
    case shape::block_object:
      return {{of_nested_object, external, attributes, blocks}};
    case shape::element_type:
      return {{}, element_types, others::forbidden};
    case shape::attribute_type:
      return {{named}, member_types, others::forbidden};
    case shape::plain_type:
      return {{any_type}, {}, others::forbidden};
    case shape::collection_type:
      return {{any_type, collection}, {}, others::forbidden};
    case shape::object_type:
      return {{any_type, attributes_of_type}, {}, others::forbidden};
    case shape::boolean_default:
      return {{}, boolean_default};
    case shape::number_default:
      return {{}, number_default};
    case shape::string_default:
      return {{}, string_default};
    case shape::other_default:
    case shape::behaviour:
      return {{custom}};
    case shape::code:
      return {{code}};
    case shape::code_import:
      return {{code_import}};
    case shape::custom_type:
      return {{custom_type}};
    case shape::external_type:
      return {{external_type}, {}, others::forbidden};
  }
  return {};
}

std::string_view belonging_of(std::string_view name) {
  for (const belonging& each : belongings) {
    if (each.name == name) return each.of;
  }
  for (const member& each : attribute_kinds) {
    if (each.name == name) return "is a type that is not allowed here";
  }
  return {};
}

std::span<const std::string_view> words_of(form is) {
  static constexpr std::string_view in_provider[] = {"optional", "required"};
  static constexpr std::string_view elsewhere[] = {"computed", "computed_optional", "optional",
                                                   "required"};
  if (is == form::optional_required) return in_provider;
  if (is == form::computed_optional_required) return elsewhere;
  return {};
}

}  // namespace tofud::schema::specification_grammar
