// Limits of protocol/diff, each with its reason.
#pragma once

#include "protocol/text/sizes.hpp"

#include <cstddef>

namespace tofud::limits {

/// Longest difference between two values that is drawn, and most elements of a list or lines of a
/// text in it: finding what two lists have in common takes the product of their lengths.
inline constexpr std::size_t difference_bytes = 256 * kib;
inline constexpr std::size_t difference_elements = 2000;

/// Pairs of elements (or lines) that are compared to find what two long lists have in common: a
/// table of 32 MiB, for lists of 4,000 elements. What longer ones share at both ends is still
/// found; between, everything is removed and added.
inline constexpr std::size_t compared_pairs = 16 * mib;

/// What is drawn of JSON in one string of a plan. Deep nesting makes much of little: each level
/// indents all that is in it.
inline constexpr std::size_t json_text_bytes = 64 * mib;

/// Of the tree of one resource's change as rows: children of one value, bytes of one text, values
/// in all, and levels, of which a real provider's types have ten. The page asks again for what is
/// beyond, by its path.
inline constexpr std::size_t diff_children = 200;
inline constexpr std::size_t diff_text_bytes = 4 * kib;
inline constexpr std::size_t diff_values = 2000;
inline constexpr std::size_t diff_depth = 100;

/// Names of attributes told of one resource in the compact form: more than fit a line of a log.
inline constexpr std::size_t compact_names = 12;

/// Of what schemas know of an attribute that failed: descriptions are paragraphs, some whole pages.
inline constexpr std::size_t card_text_bytes = 2 * kib;
inline constexpr std::size_t card_validators = 16;

}  // namespace tofud::limits
