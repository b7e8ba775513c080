#include "protocol/schema/provider_schemas.hpp"

#include "protocol/json/path.hpp"
#include "protocol/schema/errors.hpp"

#include <algorithm>
#include <utility>

namespace tofud::schema {
namespace {

using json::kind;
using json::value;

/// What is wrong, and where; becomes the failure of the whole document.
struct mistake {
  text::failure why;
};

using json::path_of_member;

[[noreturn]] void no_object(const std::string& path) { throw mistake{{error::no_object, path}}; }

bool flag(value of, std::string_view name) { return of[name].is(kind::boolean_true); }

std::string text(value of, std::string_view name) {
  return std::string{of[name].string().value_or("")};
}

std::uint64_t count(value of, std::string_view name) {
  const auto found = of[name].integer();
  return found && *found > 0 ? static_cast<std::uint64_t>(*found) : 0;
}

nesting nesting_of(value from, const std::string& path) {
  const auto mode = from["nesting_mode"].string().value_or("");
  if (mode == "single") return nesting::single;
  if (mode == "group") return nesting::group;
  if (mode == "list") return nesting::list;
  if (mode == "set") return nesting::set;
  if (mode == "map") return nesting::map;
  throw mistake{{error::bad_nesting, path + ".nesting_mode"}};
}

type type_at(value from, const std::string& path) {
  auto read = read_type(from);
  if (!read) throw mistake{{error::bad_type, path, read.error()}};
  return std::move(*read);
}

/// What only a specification says, and tofud alone writes (write_provider_schemas); others pass it
/// over.
template <class Overlaid>
void read_own(value own, Overlaid& into) {
  const auto replaces = own["replacement"].string().value_or("");
  if (replaces == "possible") into.replacement = replacement::possible;
  if (replaces == "certain") into.replacement = replacement::certain;
  for (const value each : own["validators"]) {
    if (const auto text = each.string()) into.validators.emplace_back(*text);
  }
}

/// Of two with one name the last one stays, as with any key that is there twice.
template <class Named>
void sort_by_name(std::vector<Named>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Named& one, const Named& other) { return one.name < other.name; });
  const auto kept = std::unique(all.rbegin(), all.rend(), [](const Named& one, const Named& other) {
    return one.name == other.name;
  });
  all.erase(all.begin(), kept.base());
}

std::vector<attribute> attributes_of(value from, const std::string& path) {
  std::vector<attribute> all;
  for (const value each : from) {
    const std::string here = path_of_member(path, each.key());
    if (!each.is(kind::object)) no_object(here);
    attribute one;
    one.name = each.key();
    if (const value nested = each["nested_type"]; nested.is(kind::object)) {
      auto inside = std::make_shared<nested_attributes>();
      inside->nesting = nesting_of(nested, here + ".nested_type");
      inside->attributes = attributes_of(nested["attributes"], here + ".nested_type.attributes");
      one.nested = std::move(inside);
    } else if (const value plain = each["type"]) {
      one.type = type_at(plain, here + ".type");
    }
    one.required = flag(each, "required");
    one.optional = flag(each, "optional");
    one.computed = flag(each, "computed");
    one.sensitive = flag(each, "sensitive");
    one.write_only = flag(each, "write_only");
    one.deprecated = flag(each, "deprecated");
    one.description = text(each, "description");
    one.deprecation_message = text(each, "deprecation_message");
    const value own = each[own_member];
    read_own(own, one);
    own["default"].append_json(one.default_value);
    all.push_back(std::move(one));
  }
  sort_by_name(all);
  return all;
}

block block_of(value from, const std::string& path) {
  block made;
  made.attributes = attributes_of(from["attributes"], path + ".attributes");
  for (const value each : from["block_types"]) {
    const std::string here = path_of_member(path + ".block_types", each.key());
    if (!each.is(kind::object)) no_object(here);
    block_type one;
    one.name = each.key();
    one.nesting = nesting_of(each, here);
    one.least = count(each, "min_items");
    one.most = count(each, "max_items");
    one.block = block_of(each["block"], here + ".block");
    read_own(each[own_member], one);
    made.blocks.push_back(std::move(one));
  }
  sort_by_name(made.blocks);
  made.deprecated = flag(from, "deprecated");
  made.description = text(from, "description");
  made.deprecation_message = text(from, "deprecation_message");
  return made;
}

object_schema identity_of(value from, const std::string& path) {
  if (!from.is(kind::object)) no_object(path);
  object_schema made{count(from, "version"), {}};
  for (const value each : from["attributes"]) {
    const std::string here = path_of_member(path + ".attributes", each.key());
    attribute one{std::string{each.key()}, type_at(each["type"], here + ".type")};
    one.required = flag(each, "required_for_import");
    one.optional = flag(each, "optional_for_import");
    one.description = text(each, "description");
    made.block.attributes.push_back(std::move(one));
  }
  sort_by_name(made.block.attributes);
  return made;
}

object_schema object_of(value from, const std::string& path) {
  if (!from.is(kind::object)) no_object(path);
  return {count(from, "version"), block_of(from["block"], path + ".block")};
}

using read_one = object_schema (*)(value from, const std::string& path);

schemas::by_type types_of(value from, const std::string& path, read_one read = object_of) {
  schemas::by_type all;
  for (const value each : from) {
    all.insert_or_assign(std::string{each.key()}, read(each, path_of_member(path, each.key())));
  }
  return all;
}

text::result<object_schema> try_to(read_one read, value from, const std::string& path) {
  try {
    return read(from, path);
  } catch (const mistake& found) {
    return found.why;
  }
}

schemas read(value document) {
  if (!document.is(kind::object)) no_object("the document");
  const auto version = document["format_version"].string().value_or("");
  if (version != "1" && !version.starts_with("1.")) {
    throw mistake{version.empty() ? text::failure{error::no_version}
                                  : text::failure{error::other_version, version}};
  }
  schemas all;
  for (const value each : document["provider_schemas"]) {
    const std::string path = path_of_member("provider_schemas", each.key());
    auto& one = all.providers[std::string{each.key()}];
    if (const value own = each["provider"]) one.configuration = object_of(own, path + ".provider");
    one.resources = types_of(each["resource_schemas"], path + ".resource_schemas");
    one.data_sources = types_of(each["data_source_schemas"], path + ".data_source_schemas");
    one.ephemeral_resources =
        types_of(each["ephemeral_resource_schemas"], path + ".ephemeral_resource_schemas");
    one.identities = types_of(each["resource_identity_schemas"],
                              path + ".resource_identity_schemas", identity_of);
  }
  return all;
}

}  // namespace

text::result<type> read_type(value from) {
  if (const auto name = from.string()) {
    if (*name == "bool") return type{type::kind::boolean};
    if (*name == "number") return type{type::kind::number};
    if (*name == "string") return type{type::kind::string};
    if (*name == "dynamic") return type{type::kind::dynamic};
    return text::failure{error::unknown_type, *name};
  }
  std::vector<value> parts;
  if (from.is(kind::array)) {
    for (const value each : from) parts.push_back(each);
  }
  if (parts.size() < 2) return text::failure{error::no_type};
  const auto name = parts[0].string().value_or("");
  type made;
  if (name == "list" || name == "set" || name == "map") {
    made.what = name == "list"  ? type::kind::list
                : name == "set" ? type::kind::set
                                : type::kind::map;
    auto inside = read_type(parts[1]);
    if (!inside) return inside.error();
    made.elements.push_back(std::move(*inside));
    return made;
  }
  if (name == "tuple" && parts[1].is(kind::array)) {
    made.what = type::kind::tuple;
    for (const value each : parts[1]) {
      auto inside = read_type(each);
      if (!inside) return inside.error();
      made.elements.push_back(std::move(*inside));
    }
    return made;
  }
  if (name == "object" && parts[1].is(kind::object)) {
    made.what = type::kind::object;
    for (const value each : parts[1]) {
      auto inside = read_type(each);
      if (!inside) return inside.error();
      made.members.push_back({std::string{each.key()}, std::move(*inside)});
    }
    sort_by_name(made.members);
    return made;
  }
  return text::failure{error::unknown_type, name};
}

text::result<object_schema> read_object_schema(value from, const std::string& path) {
  return try_to(object_of, from, path);
}

text::result<object_schema> read_identity_schema(value from, const std::string& path) {
  return try_to(identity_of, from, path);
}

text::result<schemas> read_provider_schemas(value document) {
  try {
    return read(document);
  } catch (const mistake& found) {
    return found.why;
  }
}

}  // namespace tofud::schema
