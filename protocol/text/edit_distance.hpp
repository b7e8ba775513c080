// How far a word is from another: what somebody may have meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace tofud::text {

/// Letters that are put in, left out, changed, or exchanged with their neighbour to make `b` of
/// `a`.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace tofud::text
