#include "protocol/schema/schema.hpp"

#include <algorithm>

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
