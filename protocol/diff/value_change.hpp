// What lies between two JSON values, as OpenTofu sees it where no schema tells more: outputs,
// dynamic attributes, JSON in strings, the two sides of a failed comparison.
#pragma once

#include "protocol/diff/change.hpp"
#include "protocol/diff/limits.hpp"
#include "protocol/diff/sides.hpp"
#include "protocol/json/document.hpp"

#include <cstddef>

namespace tofud::diff {

/// Recursive; the depth of a parsed document is bounded. Nothing in it forces replacement.
change compute(const sides& between);

/// The change of a value that is a string, number, boolean or null on both sides.
/// `is_text`: its type is string, even if both are null.
change of_primitive(const sides& between, bool is_text);

/// Whether two elements of a list are shown as one that changes: texts of several lines that share
/// one.
bool share_a_line(json::value a, json::value b);

/// How much is drawn of something that nobody asked for in full.
struct room {
  std::size_t bytes = limits::difference_bytes;
  std::size_t elements = limits::difference_elements;  // of a list, or lines of a text
};

/// False if it would take too long or print more than there is room for.
bool worth_drawing(const sides& between, const room& within = {});

}  // namespace tofud::diff
