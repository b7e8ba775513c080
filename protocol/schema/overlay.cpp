#include "protocol/schema/overlay.hpp"

#include "protocol/schema/provider_address.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tofud::schema {
namespace {

void lay_text(std::string& base, const std::string& specified) {
  if (!specified.empty()) base = specified;
}

template <class Described>
void lay_words(Described& base, const Described& specified) {
  base.deprecated = base.deprecated || specified.deprecated;
  lay_text(base.description, specified.description);
  lay_text(base.deprecation_message, specified.deprecation_message);
}

template <class Overlaid>
void lay_own(Overlaid& base, const Overlaid& specified) {
  if (specified.replacement != replacement::unsaid) base.replacement = specified.replacement;
  if (!specified.validators.empty()) base.validators = specified.validators;
}

bool has_secrets(const block& in);

bool has_secrets(const std::vector<attribute>& in) {                    // NOLINT(misc-no-recursion)
  return std::any_of(in.begin(), in.end(), [](const attribute& each) {  // NOLINT(misc-no-recursion)
    return each.sensitive || (each.nested && has_secrets(each.nested->attributes));
  });
}

bool has_secrets(const block& in) {  // NOLINT(misc-no-recursion)
  return has_secrets(in.attributes) ||
         std::any_of(in.blocks.begin(), in.blocks.end(), [](const block_type& each) {
           return has_secrets(each.block);  // NOLINT(misc-no-recursion)
         });
}

/// A block has no mark of its own.
void hide_all(block& in) {  // NOLINT(misc-no-recursion)
  for (attribute& each : in.attributes) each.sensitive = true;
  for (block_type& each : in.blocks) hide_all(each.block);
}

/// What a specification has at one place, whichever way it is written.
struct parts {
  const std::vector<attribute>* attributes = nullptr;
  const block* blocks = nullptr;

  explicit parts(const block& of) : attributes{&of.attributes}, blocks{&of} {}
  explicit parts(const attribute& of) {
    if (of.nested) attributes = &of.nested->attributes;
  }

  const attribute* attribute_of(std::string_view name) const {
    return attributes == nullptr ? nullptr : find_attribute(*attributes, name);
  }
  const block_type* block_of(std::string_view name) const {
    return blocks == nullptr ? nullptr : find_block(*blocks, name);
  }
  bool have_secrets() const {
    return (attributes != nullptr && has_secrets(*attributes)) ||
           (blocks != nullptr &&
            std::any_of(blocks->blocks.begin(), blocks->blocks.end(),
                        [](const block_type& each) { return has_secrets(each.block); }));
  }
};

void lay_parts(std::vector<attribute>& base, const parts& specified);

void lay_inside(attribute& base, const parts& specified) {  // NOLINT(misc-no-recursion)
  if (!base.nested) {
    base.sensitive = base.sensitive || specified.have_secrets();
    return;
  }
  nested_attributes inside = *base.nested;
  lay_parts(inside.attributes, specified);
  base.nested = std::make_shared<const nested_attributes>(std::move(inside));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as what was read
void lay_parts(std::vector<attribute>& base, const parts& specified) {
  for (attribute& each : base) {
    if (const attribute* over = specified.attribute_of(each.name)) {
      lay_words(each, *over);
      lay_own(each, *over);
      lay_text(each.default_value, over->default_value);
      each.sensitive = each.sensitive || over->sensitive;
      lay_inside(each, parts{*over});
    } else if (const block_type* of_block = specified.block_of(each.name)) {
      lay_text(each.description, of_block->block.description);
      lay_inside(each, parts{of_block->block});
    }
  }
}

void lay_parts(block& base, const parts& specified) {  // NOLINT(misc-no-recursion)
  lay_parts(base.attributes, specified);
  for (block_type& each : base.blocks) {
    if (const block_type* over = specified.block_of(each.name)) {
      lay_words(each.block, over->block);
      lay_own(each, *over);
      lay_parts(each.block, parts{over->block});
    } else if (const attribute* of_attribute = specified.attribute_of(each.name)) {
      lay_text(each.block.description, of_attribute->description);
      lay_parts(each.block, parts{*of_attribute});
      if (of_attribute->sensitive) hide_all(each.block);
    }
  }
}

void lay_types(schemas::by_type& base, const schemas::by_type& specified, bool add) {
  for (const auto& [name, over] : specified) {
    const auto found = base.find(name);
    if (found != base.end()) {
      lay_over(found->second, over);
    } else if (add) {
      base.emplace(name, over);
    }
  }
}

void lay_provider(schemas::provider& base, const schemas::provider& specified, bool add) {
  if (specified.configuration && base.configuration)
    lay_over(*base.configuration, *specified.configuration);
  else if (specified.configuration && add)
    base.configuration = specified.configuration;
  lay_types(base.resources, specified.resources, add);
  lay_types(base.data_sources, specified.data_sources, add);
  lay_types(base.ephemeral_resources, specified.ephemeral_resources, add);
}

void add_types(schemas::by_type& into, schemas::by_type& from) {
  from.merge(into);
  into = std::move(from);
}

}  // namespace

void lay_over(object_schema& base, const object_schema& specified) {
  lay_words(base.block, specified.block);
  lay_parts(base.block, parts{specified.block});
}

void lay_over(schemas& base, const schemas& specified) {
  for (const auto& [name, over] : specified.providers) {
    base.providers.try_emplace(name);
    for (auto& [address, under] : base.providers) {
      if (provider_name(address) == name) lay_provider(under, over, address == name);
    }
  }
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): its providers are moved from
void schema_layers::add(schemas read) {
  schemas over;
  for (auto& [address, from] : read.providers) {
    if (is_specified(address)) {
      over.providers.emplace(address, std::move(from));
      continue;
    }
    schemas::provider& into = base_.providers[address];
    if (from.configuration) into.configuration = std::move(from.configuration);
    add_types(into.resources, from.resources);
    add_types(into.data_sources, from.data_sources);
    add_types(into.ephemeral_resources, from.ephemeral_resources);
    add_types(into.identities, from.identities);
  }
  if (!over.providers.empty()) over_.push_back(std::move(over));
}

schemas schema_layers::done() {
  for (const schemas& each : over_) lay_over(base_, each);
  return std::move(base_);
}

}  // namespace tofud::schema
