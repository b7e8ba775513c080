// How far an apply is in its order: what waits for what, and what a failure strands.
#pragma once

#include "protocol/order/order.hpp"

#include <cstdint>
#include <vector>

namespace tofud::order {

enum class progress_of : std::uint8_t { owed, running, done, failed };

/// Of every operation of an order, which outlives it.
class progress {
 public:
  explicit progress(const order& of) : of_{of}, states_(of.size(), progress_of::owed) {}

  void set(vertex operation, progress_of now) { states_[operation] = now; }
  progress_of get(vertex operation) const { return states_[operation]; }

  /// The unfinished operations before that one that are before no other unfinished one of them:
  /// what it waits for at this moment. In no order. `own` is left out with all that is behind it.
  std::vector<vertex> waits_for(vertex operation) const;
  /// The failed operations before that one.
  std::vector<vertex> failed_before(vertex operation) const;

 private:
  template <class Stop>
  std::vector<vertex> search(vertex from, const Stop& stops) const;

  const order& of_;
  std::vector<progress_of> states_;
};

}  // namespace tofud::order
