// How far a word is from another: what somebody may have meant.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace tofud::text {

/// Letters that are put in, left out, changed, or exchanged with their neighbour to make `b` of
/// `a`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `words` that somebody may have meant who wrote `typed`: at most a third of its
/// letters, and at most four, are other ones. Empty: none is so near.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> words);

}  // namespace tofud::text
