// What is usual: percentiles of how long operations took (decision 0042).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tofud::history {

/// How close to the address those are that say what is usual of it.
enum class rung : std::uint8_t {
  address = 1,  // the same stack and address
  stack = 2,    // the same stack and type
  anywhere = 3  // the same type in any stack
};

/// Of one action on one address.
struct usual {
  double p50 = 0, p80 = 0;  // seconds
  std::size_t count = 0;    // of operations that say so
  rung at = rung::address;
  /// Both a failure and a success are among the newest of this very address.
  bool flaky = false;
  bool operator==(const usual&) const = default;
};

struct usual_query {
  std::string stack, addr, type;
  std::string action;  // the feed's word
};

/// By nearest rank, of values in any order; 0 of none.
double percentile(std::vector<double> values, double part);

/// Whether an operation takes longer than others did.
bool is_slower_than_usual(const usual& known, double elapsed);

/// What one rung has: durations of operations that are done.
struct rung_values {
  rung at = rung::address;
  std::vector<double> seconds;
  std::size_t stacks = 1;
};

/// Of rungs in their order: the first that has enough, else the first that has any. What stands at
/// `rung::anywhere` counts if limits::usual_of of them come from limits::usual_stacks stacks.
std::optional<usual> choose(std::span<const rung_values> rungs);

}  // namespace tofud::history
