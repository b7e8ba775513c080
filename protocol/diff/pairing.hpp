// Which elements of two lists belong together.
#pragma once

#include <cstddef>
#include <functional>

namespace tofud::diff {

/// Told of each pair of elements to be shown together; an index beyond the list is none.
using pair_sink = std::function<void(std::size_t before, std::size_t after)>;
/// About elements by their indices.
using pair_question = std::function<bool(std::size_t before, std::size_t after)>;

/// Walks two lists by what they have in common, which is found by `same`: elements that are only
/// before, only after, or both. Two elements between common ones are a pair if `alike` says so.
/// Beyond limits::compared_pairs only common elements at both ends are found.
void pair_elements(std::size_t before, std::size_t after, const pair_question& same,
                   const pair_question& alike, const pair_sink& pair);

}  // namespace tofud::diff
