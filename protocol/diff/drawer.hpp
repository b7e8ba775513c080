// Changes as text, value by value. The parent writes sign, key, indent and comma; a value only
// itself.
#pragma once

#include "protocol/diff/change.hpp"
#include "protocol/diff/human.hpp"
#include "protocol/diff/value_change.hpp"
#include "protocol/text/ink.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::diff {

/// What a parent asks of how a value in it is drawn.
struct drawing {
  bool no_null_suffix = false;  // nothing says "-> null"
  bool show_unchanged = false;  // all of it
  bool forced = false;          // says "forces replacement" in the place of its parent
  bool no_signs = false;        // nor the room for them: a state, something forgotten
  bool plain_numbers = false;   // without exponents
  bool no_labels = false;       // of blocks that are sensitive as a whole
};

/// Four blanks for each level.
std::string indent(std::size_t depth);

class drawer {
 public:
  /// `json`: room for what is drawn of JSON in one string; beyond it stays a string.
  drawer(const text::ink& pen, const text_filter& filter, room json)
      : pen_{pen}, filter_{filter}, json_room_{json} {}

  /// Several lines but for the first begin with their indent.
  std::string draw(const change& all, std::size_t depth, drawing how) const;

  /// A piece in colour, and the end of the phrase it makes up.
  std::string phrase(text::style colour, std::string_view text) const;
  /// How a line inside of something begins.
  std::string begin(std::size_t depth, action done, drawing how) const;
  /// What is said above a value whose sensitivity changes; empty or whole lines.
  std::string warning(const change& all, std::size_t depth, drawing how) const;
  std::string text(std::string_view outside) const;

 private:
  std::string null() const;
  std::string arrow() const;
  std::string null_suffix(action done, drawing how) const;
  std::string forces(const change& all, drawing how) const;
  std::string hidden(std::string_view noun, std::size_t count) const;

  std::string simple(json::value of, drawing how) const;
  std::string draw_simple(const change& all, const primitive_change& c, drawing how) const;
  std::string draw_object(const change& all, const object_change& c, std::size_t depth,
                          drawing how) const;
  std::string draw_map(const change& all, const map_change& c, std::size_t depth,
                       drawing how) const;
  std::string draw_list(const change& all, const list_change& c, std::size_t depth,
                        drawing how) const;
  std::string draw_set(const change& all, const set_change& c, std::size_t depth,
                       drawing how) const;
  std::string draw_unknown(const change& all, const unknown_change& c, std::size_t depth,
                           drawing how) const;
  std::string draw_sensitive(const change& all, const sensitive_change& c, std::size_t depth,
                             drawing how) const;
  std::string draw_type(const type_change& c, std::size_t depth, drawing how) const;

  // drawer_text.cpp
  std::string draw_text(const change& all, const primitive_change& c, std::size_t depth,
                        drawing how) const;
  std::string draw_changed_text(const change& all, const primitive_change& c, std::size_t depth,
                                drawing how) const;
  std::string draw_json(const change& all, json::value before, json::value after, std::size_t depth,
                        drawing how) const;
  std::string document(const std::string& lines, const change& all, std::size_t depth,
                       drawing how) const;
  void append_line(std::string& lines, std::size_t depth, action done, std::string_view line,
                   drawing how) const;

  // drawer_block.cpp
  std::string draw_block(const change& all, const block_change& c, std::size_t depth,
                         drawing how) const;
  std::string draw_groups(const block_change& c, std::size_t depth, drawing how) const;
  std::string draw_instance(const block_group& of, const change& each, std::size_t depth,
                            drawing how, bool& shown) const;

  const text::ink& pen_;
  const text_filter& filter_;
  room json_room_;
};

/// Attributes that tell which object it is are shown even if they do not change.
bool tells_which(std::string_view key);

/// A key as it is written, quoted where it must be.
std::string written_key(std::string_view key);

/// With blanks to `width`, which is in bytes though it is characters that are counted to fill it.
std::string padded(std::string_view name, std::size_t width);

}  // namespace tofud::diff
