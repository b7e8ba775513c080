// Orders of applies made by chance, for who compares two ways of following them.
#pragma once

#include "protocol/order/order.hpp"

#include <cstddef>
#include <cstdint>
#include <random>

namespace tofud::test {

struct random_shape {
  std::size_t operations = 50;
  std::size_t hubs = 10;
  std::size_t instances = 1;  // of a block, at most
  std::size_t befores = 3;    // of each, at most
};

/// Operations of blocks of several instances, behind others and behind hubs, which are behind
/// others; without a circle. The instances of a block are behind a hub of theirs, or by themselves.
order::order random_order(std::mt19937& chance, const random_shape& shape);

/// A number below `end`.
inline std::size_t below(std::mt19937& chance, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>{0, end - 1}(chance);
}

}  // namespace tofud::test
