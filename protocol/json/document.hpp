// One JSON text as a flat list of values, made for lines that come by the million.
#pragma once

#include "protocol/json/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::json {

enum class kind : std::uint8_t {
  object,
  array,
  string,
  number,
  boolean_true,
  boolean_false,
  null,
  raw
};

/// What to keep of the value under a key.
enum class keep : std::uint8_t {
  tree,  // as values
  raw,   // as one JSON text: strings escaped anew, numbers as they were written
  skip,  // nothing, whatever it holds
  mark,  // that it was there: a null
};

/// Asked for every key down to depth 3. `top` is the key at depth 1 (empty at depth 1 itself),
/// `depth` that of `key`: 1 for the members of the root object.
using key_policy = keep (*)(std::string_view top, std::size_t depth, std::string_view key);
inline keep keep_everything(std::string_view /*top*/, std::size_t /*depth*/,
                            std::string_view /*key*/) {
  return keep::tree;
}

enum class parse_error : std::uint8_t {
  syntax = 1,  // no JSON, or more after it
  too_deep,    // beyond limits::json_depth
  too_many,    // beyond limits::json_nodes
};

/// A sentence for a log.
std::string_view describe(parse_error error);

/// What a value is made of. The nodes of a document lie in one row, each container before what is
/// in it; `end` is the index behind the last node inside.
struct node {
  std::string_view key;
  std::string_view text;
  std::uint32_t end = 0;
  kind type = kind::null;
};

/// A value of the last parsed document. Valid until the next `parse`; empty if there is none.
class value {
 public:
  value() = default;
  value(const node* first, const node* at) : nodes_{first}, at_{at} {}

  explicit operator bool() const { return at_ != nullptr; }
  bool is(kind wanted) const { return at_ != nullptr && at_->type == wanted; }
  /// The member of an object, the last one of that name; empty if there is none or this is no
  /// object.
  value operator[](std::string_view key) const {
    value found;
    if (!is(kind::object)) return found;
    const node* const end = nodes_ + at_->end;
    for (const node* member = at_ + 1; member != end; member = nodes_ + member->end) {
      if (member->key == key) found = {nodes_, member};
    }
    return found;
  }
  /// A string's characters, a number's or raw text as written; empty view for everything else.
  std::string_view text() const { return at_ == nullptr ? std::string_view{} : at_->text; }
  /// The text of a string; nothing for any other kind.
  std::optional<std::string_view> string() const {
    if (!is(kind::string)) return {};
    return at_->text;
  }
  /// A number's value if it is an integer that fits.
  std::optional<std::int64_t> integer() const;
  /// The key under which this value stands in its object.
  std::string_view key() const { return at_ == nullptr ? std::string_view{} : at_->key; }
  /// The ordinal of an existing value among those of its document, in the order of the text and
  /// from 0: containers come before what is in them.
  std::size_t index() const { return static_cast<std::size_t>(at_ - nodes_); }
  /// Appends the value as JSON.
  void append_json(std::string& out) const;

  class iterator {
   public:
    iterator(const node* nodes, const node* at) : nodes_{nodes}, at_{at} {}
    value operator*() const { return {nodes_, at_}; }
    iterator& operator++() {
      at_ = nodes_ + at_->end;
      return *this;
    }
    bool operator!=(const iterator& other) const { return at_ != other.at_; }

   private:
    const node* nodes_;
    const node* at_;
  };
  /// The members of an object or elements of an array, in order; none for other kinds.
  iterator begin() const {
    const bool has_children = is(kind::object) || is(kind::array);
    return has_children ? iterator{nodes_, at_ + 1} : end();
  }
  iterator end() const { return {nodes_, at_ == nullptr ? nullptr : nodes_ + at_->end}; }

 private:
  const node* nodes_ = nullptr;
  const node* at_ = nullptr;
};

/// Remembers its buffers from one document to the next, so that a steady stream of lines costs no
/// allocation. Strings without escapes are views into the parsed text.
class document_parser {
 public:
  explicit document_parser(key_policy policy);
  ~document_parser();
  document_parser(document_parser&&) noexcept;
  document_parser& operator=(document_parser&&) noexcept;

  /// Parses `text` (valid as long as the values are used). On an error `root()` holds what was read
  /// before it.
  std::optional<parse_error> parse(std::string_view text);
  value root() const;
  /// Bytes of the text that were read: behind an error, where it is.
  std::size_t consumed() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tofud::json
