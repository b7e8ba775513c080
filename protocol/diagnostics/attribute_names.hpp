// Which attribute a diagnostic means, by the words and the line of source in it.
#pragma once

#include "protocol/feed/row.hpp"
#include "protocol/schema/schema.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace tofud::diagnostics {

/// What is assigned or opened where the snippet is marked, as far as its line says.
struct line_names {
  /// From the outermost that the line itself opens. Empty: the line names nothing.
  std::vector<std::string_view> names;
  /// The line begins with the block of the resource itself, so that these names begin in it.
  bool whole = false;
  std::size_t indent = 0;  // blanks before the line; a tab is two
};

/// Views into the snippet's code. Of native syntax, or of a line of JSON.
line_names names_at_fault(const feed::source_snippet& snippet);

/// The paths that summary and detail say, the likeliest first: "network.port" of `Attribute
/// network.port value must be …`, of `The argument "port" is required`, of `unexpected new value:
/// .port: was …`. Names only, without keys and indexes; views into the row.
std::vector<std::vector<std::string_view>> names_in_words(const feed::diagnostic_row& row);

/// One attribute or block of a schema, with the names that lead to it.
struct named_place {
  std::vector<std::string_view> names;
  const schema::attribute* attribute = nullptr;
  const schema::block_type* block = nullptr;

  explicit operator bool() const { return attribute != nullptr || block != nullptr; }
};

/// The place that `names` lead to, or, where they go on into a value (a map's key), that value's
/// attribute. Nothing if a name is not in the schema.
named_place find_place(const schema::block& within, const std::vector<std::string_view>& names);

/// Every place whose names end with these.
std::vector<named_place> places_ending_with(const schema::block& within,
                                            const std::vector<std::string_view>& names);

}  // namespace tofud::diagnostics
