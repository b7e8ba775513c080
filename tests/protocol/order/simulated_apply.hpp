// Applies made by chance, with a history, and played to their end: what an estimate is judged by
// (F11 of decision 0042).
#pragma once

#include "protocol/order/durations.hpp"
#include "protocol/order/order.hpp"
#include "protocol/order/progress.hpp"
#include "protocol/order/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tofud::test {

/// How long one operation takes from run to run: all alike, or some of them as they like.
enum class spreads : bool { alike, mixed };

struct simulated_apply {
  order::order of;
  std::vector<order::known_duration> known;  // three runs of history
  std::vector<double> seconds;               // of this run
  std::vector<bool> fails;
  std::size_t slots = 10;
  // As it went: seconds since the beginning; less than 0: never.
  std::vector<double> ready, begun, ended;
  double end = 0;

  /// Where each operation is after so many seconds.
  std::vector<order::operation_now> at(double moment) const;
  std::size_t done_at(double moment) const;
};

/// A layered graph of 50 to `most` operations; medians are log-uniform from half a second to
/// twenty minutes.
simulated_apply simulate(std::uint32_t seed, spreads how, std::size_t most, double failures = 0.01);

}  // namespace tofud::test
