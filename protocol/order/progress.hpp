// How far an apply is in its order: what waits for what, and what a failure strands.
#pragma once

#include "protocol/order/order.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tofud::order {

enum class progress_of : std::uint8_t { owed, running, done, failed };

/// Of every operation of an order, which outlives it.
class progress {
 public:
  explicit progress(const order& of);

  void set(vertex operation, progress_of now) { states_[operation] = now; }
  progress_of get(vertex operation) const { return states_[operation]; }

  /// The unfinished operations before that one that are before no other unfinished one of them:
  /// what it waits for at this moment. In no order. After limits::order_looks some that are before
  /// another are among them.
  std::vector<vertex> waits_for(vertex operation) const;
  /// The failed operations before that one.
  std::vector<vertex> failed_before(vertex operation) const;

 private:
  template <class Stop>
  std::vector<vertex> search(vertex from, const Stop& stops) const;

  const order& of_;
  std::vector<progress_of> states_;
  std::vector<std::uint32_t> ranks_;  // greater than those of all before; of a circle: the greatest
  mutable std::size_t looks_ = 0;
};

}  // namespace tofud::order
