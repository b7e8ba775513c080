// What a program that is linked with this holds of memory from `new`. One thread.
#pragma once

#include <cstddef>

namespace tofud::bench {

/// Bytes held now, with what the allocator adds to each piece.
std::size_t held();
/// The most since the last call of `forget_most_held`.
std::size_t most_held();
void forget_most_held();

}  // namespace tofud::bench
