// The two sides of one value in a change, and the way from a value to what is in it.
#pragma once

#include "protocol/diff/attribute_paths.hpp"
#include "protocol/diff/change.hpp"
#include "protocol/json/document.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace tofud::diff {

/// The two values and what is said of them. `unknown` and the sensitive ones are true, or have the
/// shape of the values with true in places. A side that is null may be absent (a removed element)
/// or be null by intent, which is explicit.
struct sides {
  json::value before, after, unknown, before_sensitive, after_sensitive;
  bool before_explicit = false, after_explicit = false;
  bool all_unknown = false;       // `unknown`, whatever it says
  bool children_unknown = false;  // all that is directly in it is
  bool was_unknown = false;       // what is shown before "(known after apply)"
  bool marked_sensitive = false;  // by a schema
  bool is_block = false;          // else an attribute or something in one
  bool by_position = false;       // of lists of one length that are in it, as Terraform does
  attribute_paths replace = {};
  attribute_paths relevant = attribute_paths::everywhere();
};

/// Null as Go has it: no value, or null.
bool is_nil(json::value v);
bool is_true(json::value v);

/// The same JSON value, numbers by their text.
bool equal(json::value a, json::value b);

sides as_removed(const sides& between);
sides as_created(const sides& between);
/// What is relevant to nothing, as if it did not change; else just as it is.
sides only_relevant(const sides& between);

/// The action of a whole whose part does this too.
action with_part(action whole, action part);
/// The action of a container before it is looked inside.
action of_whole(const sides& between);

/// Members of an object in the order of their keys' bytes; of several of one name the last counts.
class members {
 public:
  explicit members(json::value of);
  struct found {
    json::value at;
    bool there = false;
  };
  found find(std::string_view key) const;
  const std::vector<json::value>& all() const& { return all_; }
  void all() && = delete;

 private:
  std::vector<json::value> all_;
};

/// The sides of what is in an object, by key.
class object_sides {
 public:
  explicit object_sides(const sides& between);
  /// Explicit on the sides that have the key.
  sides child(std::string_view key) const;
  /// Those of before and after; perhaps of what is unknown and sensitive, too. In order.
  enum class keys_of : std::uint8_t { values, unknown_too, marks_too };
  std::vector<std::string_view> keys(keys_of which) const;

 private:
  const sides& of_;
  members before_, after_, unknown_, before_sensitive_, after_sensitive_;
};

/// The sides of what is in a list, by index.
class list_sides {
 public:
  explicit list_sides(const sides& between);
  /// Explicit on the sides that have the index. `before` and `after` may differ.
  sides child(std::size_t before, std::size_t after) const;
  const std::vector<json::value>& before() const { return before_; }
  const std::vector<json::value>& after() const { return after_; }
  const std::vector<json::value>& unknown() const { return unknown_; }
  const std::vector<json::value>& before_sensitive() const { return before_sensitive_; }
  const std::vector<json::value>& after_sensitive() const { return after_sensitive_; }

 private:
  const sides& of_;
  std::vector<json::value> before_, after_, unknown_, before_sensitive_, after_sensitive_;
};

/// What comes before any type: a value that is sensitive, and then one that is unknown. `compute`
/// gets the sides without the mark and says what lies under it.
template <class Compute>
change with_marks(const sides& between, const Compute& compute);

}  // namespace tofud::diff

#include "protocol/diff/sides_marks.hpp"
