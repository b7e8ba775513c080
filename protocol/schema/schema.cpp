#include "protocol/schema/schema.hpp"

#include <algorithm>
#include <tuple>

namespace tofud::schema {
namespace {

template <class Named>
const Named* find_named(const std::vector<Named>& among, std::string_view name) {
  const auto found = std::lower_bound(
      among.begin(), among.end(), name,
      [](const Named& each, std::string_view wanted) { return each.name < wanted; });
  return found == among.end() || found->name != name ? nullptr : &*found;
}

}  // namespace

// Not defaulted: each of these is compared through another that is not complete where it stands.

bool operator==(const type& one, const type& other) {
  return one.what == other.what && one.elements == other.elements && one.members == other.members;
}

bool operator==(const type::member& one, const type::member& other) {
  return one.name == other.name && one.of == other.of;
}

bool operator==(const nested_attributes& one, const nested_attributes& other) {
  return one.nesting == other.nesting && one.attributes == other.attributes;
}

bool operator==(const attribute& one, const attribute& other) {
  const auto plain = [](const attribute& of) {
    return std::tie(of.name, of.type, of.required, of.optional, of.computed, of.sensitive,
                    of.write_only, of.deprecated, of.description, of.deprecation_message,
                    of.replacement, of.default_value, of.validators);
  };
  if (plain(one) != plain(other) || !one.nested != !other.nested) return false;
  return !one.nested || *one.nested == *other.nested;
}

bool operator==(const block& one, const block& other) {
  const auto members = [](const block& of) {
    return std::tie(of.attributes, of.blocks, of.deprecated, of.description,
                    of.deprecation_message);
  };
  return members(one) == members(other);
}

bool operator==(const block_type& one, const block_type& other) {
  const auto members = [](const block_type& of) {
    return std::tie(of.name, of.nesting, of.least, of.most, of.block, of.replacement,
                    of.validators);
  };
  return members(one) == members(other);
}

bool operator==(const object_schema& one, const object_schema& other) {
  return one.version == other.version && one.block == other.block;
}

const attribute* find_attribute(const std::vector<attribute>& among, std::string_view name) {
  return find_named(among, name);
}

const block_type* find_block(const block& within, std::string_view name) {
  return find_named(within.blocks, name);
}

const object_schema* schemas::find(std::string_view of_provider, mode of,
                                   std::string_view type) const {
  const auto found = providers.find(of_provider);
  if (found == providers.end()) return nullptr;
  const by_type* types = nullptr;
  switch (of) {
    case mode::managed:
      types = &found->second.resources;
      break;
    case mode::data:
      types = &found->second.data_sources;
      break;
    case mode::ephemeral:
      types = &found->second.ephemeral_resources;
      break;
  }
  const auto one = types->find(type);
  return one == types->end() ? nullptr : &one->second;
}

}  // namespace tofud::schema
