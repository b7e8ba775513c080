// What a schema says of one value of a plan, and of what is in it.
#pragma once

#include "protocol/schema/schema.hpp"

#include <string_view>
#include <vector>

namespace tofud::redact {

inline bool is_one(schema::nesting how) {
  return how == schema::nesting::single || how == schema::nesting::group;
}

/// All null: nothing.
struct known_value {
  const schema::block* block = nullptr;                    // the value is its body
  const schema::block_type* blocks = nullptr;              // all of one name
  const std::vector<schema::attribute>* nested = nullptr;  // the value has these attributes
  const schema::nested_attributes* many = nullptr;         // or what is in it
  const schema::type* type = nullptr;                      // of a plain value
  bool sensitive = false;

  static known_value of_attribute(const schema::attribute* known) {
    known_value inner;
    if (known == nullptr) return inner;
    inner.sensitive = known->sensitive || known->write_only;
    if (known->nested == nullptr) {
      inner.type = &known->type;
      return inner;
    }
    if (is_one(known->nested->nesting))
      inner.nested = &known->nested->attributes;
    else
      inner.many = known->nested.get();
    return inner;
  }

  /// Of an object's member.
  known_value member(std::string_view key) const {
    if (block != nullptr) {
      if (const auto* inner = schema::find_block(*block, key)) return of_blocks(*inner);
      return of_attribute(schema::find_attribute(block->attributes, key));
    }
    if (nested != nullptr) return of_attribute(schema::find_attribute(*nested, key));
    if (const schema::type* inside = type_of(key)) return of_type(inside);
    return element();  // of a map
  }
  /// Whether a member's name is the schema's, and no data.
  bool names(std::string_view key) const {
    if (block != nullptr)
      return schema::find_block(*block, key) != nullptr ||
             schema::find_attribute(block->attributes, key) != nullptr;
    if (nested != nullptr) return schema::find_attribute(*nested, key) != nullptr;
    return type_of(key) != nullptr;
  }
  /// Of what a list, set or map has.
  known_value element() const {
    known_value inner;
    if (blocks != nullptr) inner.block = &blocks->block;
    if (many != nullptr) inner.nested = &many->attributes;
    if (type != nullptr && type->what != schema::type::kind::tuple && type->elements.size() == 1)
      inner.type = &type->elements.front();
    return inner;
  }

 private:
  static known_value of_type(const schema::type* inside) {
    known_value inner;
    inner.type = inside;
    return inner;
  }
  /// Of an object's member.
  const schema::type* type_of(std::string_view key) const {
    if (type == nullptr || type->what != schema::type::kind::object) return nullptr;
    for (const auto& each : type->members) {
      if (each.name == key) return &each.of;
    }
    return nullptr;
  }
  static known_value of_blocks(const schema::block_type& all) {
    known_value inner;
    if (is_one(all.nesting))
      inner.block = &all.block;
    else
      inner.blocks = &all;
    return inner;
  }
};

}  // namespace tofud::redact
