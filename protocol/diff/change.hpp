// The tree of a computed change: what every renderer works from.
#pragma once

#include "protocol/json/document.hpp"
#include "protocol/schema/schema.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

namespace tofud::diff {

enum class action : std::uint8_t { none, create, update, remove };

struct change;

/// A string, number, boolean or null on either side.
struct primitive_change {
  json::value before, after;
  bool is_text = false;
};
/// Members in the order of their keys' bytes. `nested`: attributes that the schema gives an
/// attribute; else those of a plain value.
struct object_change {
  std::vector<change> members;
  bool nested = false;
};
/// As an object, but the keys are data. `nested`: its elements have attributes of the schema.
struct map_change {
  std::vector<change> elements;
  bool nested = false;
};
/// A list or tuple. `nested`: its elements have attributes of the schema.
struct list_change {
  std::vector<change> elements;
  bool nested = false;
};
/// What both sides have, then what is removed, then what is added.
struct set_change {
  std::vector<change> elements;
  bool nested = false;
};
/// All blocks of one name; none if the list of them is empty and not null.
struct block_group {
  std::string_view name;
  std::vector<change> instances;  // of a map each with its key
  bool labelled = false;          // a map
  /// The whole of them, not only something in one.
  bool before_sensitive = false, after_sensitive = false;
  bool forces_replacement = false;
  const schema::block_type* known = nullptr;  // what its schema says
};
/// The body of a resource or block; attributes and groups in the order of their names' bytes.
struct block_change {
  std::vector<change> attributes;
  std::vector<block_group> groups;
};
struct unknown_change {
  std::unique_ptr<change> before;  // none: created
};
/// Nothing of the values is in the tree.
struct sensitive_change {
  action inner = action::none;
  bool before = false, after = false;
  bool is_block = false;
};
/// Dynamically typed.
struct type_change {
  std::unique_ptr<change> before, after;
};
/// A value that is never kept: all that is known is that something around it changes.
struct write_only_change {};

/// Views into the documents of the values and into the schema.
struct change {
  diff::action action = diff::action::none;
  std::variant<primitive_change, object_change, map_change, list_change, set_change, block_change,
               unknown_change, sensitive_change, type_change, write_only_change>
      what;
  std::string_view key = {};        // of a member
  bool forces_replacement = false;  // a path of `replace_paths` ends here
  const schema::attribute* known =
      nullptr;  // what the schema says of it; null: nothing, or no attribute
};

}  // namespace tofud::diff
