// Which elements of two lists belong together.
#pragma once

#include "protocol/diff/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace tofud::diff {

/// Told of each pair of elements to be shown together; an index beyond the list is none.
using pair_sink = std::function<void(std::size_t before, std::size_t after)>;
/// About elements by their indices.
using pair_question = std::function<bool(std::size_t before, std::size_t after)>;
/// The elements of a list; equal ones have the same number (value_numbers.hpp).
using element_numbers = std::span<const std::uint32_t>;

/// Walks two lists by what they have in common: elements that are only before, only after, or both.
/// Two elements between common ones are a pair if `alike` says so; it is asked at most as often as
/// there are elements. Beyond limits::compared_pairs only common elements at both ends are found.
/// Where `by_position` is set, elements of two lists of one length are pairs by their place.
void pair_elements(element_numbers before, element_numbers after, const pair_question& alike,
                   const pair_sink& pair, bool by_position = false);

}  // namespace tofud::diff
