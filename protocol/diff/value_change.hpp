// What lies between two JSON values, as OpenTofu sees it where no schema tells more: outputs,
// dynamic attributes, JSON in strings, the two sides of a failed comparison.
#pragma once

#include "protocol/json/document.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

namespace tofud::diff {

enum class action : std::uint8_t { none, create, update, remove };

/// The two values and what is said of them. `unknown` and the sensitive ones are true, or have the
/// shape of the values with true in places. A side that is null may be absent (a removed element)
/// or be null by intent, which is explicit.
struct sides {
  json::value before, after, unknown, before_sensitive, after_sensitive;
  bool before_explicit = false, after_explicit = false;
};

struct change;

/// A string, number, boolean or null on either side.
struct primitive_change {
  json::value before, after;
  bool is_text = false;
};
/// Members in the order of their keys' bytes.
struct object_change {
  std::vector<change> members;
};
struct list_change {
  std::vector<change> elements;
};
struct unknown_change {
  std::unique_ptr<change> before;  // none: created
};
struct sensitive_change {
  action inner = action::none;
  bool before = false, after = false;
};
struct type_change {
  std::unique_ptr<change> before, after;
};

/// Views into the documents of the two values.
struct change {
  diff::action action = diff::action::none;
  std::variant<primitive_change, object_change, list_change, unknown_change, sensitive_change,
               type_change>
      what;
  std::string_view key = {};  // of a member
};

/// Recursive; the depth of a parsed document is bounded.
change compute(const sides& between);

/// False if it would take too long or print more than anybody reads: limits::difference_bytes.
bool worth_drawing(const sides& between);

/// The same JSON value, numbers by their text.
bool equal(json::value a, json::value b);

/// Told of each pair of elements to be shown together; an index beyond the list is none.
using pair_sink = std::function<void(std::size_t before, std::size_t after)>;
/// About elements by their indices.
using pair_question = std::function<bool(std::size_t before, std::size_t after)>;

/// Walks two lists by what they have in common, which is found by `same`: elements that are only
/// before, only after, or both. Two elements between common ones are a pair if `alike` says so.
void pair_elements(std::size_t before, std::size_t after, const pair_question& same,
                   const pair_question& alike, const pair_sink& pair);

}  // namespace tofud::diff
