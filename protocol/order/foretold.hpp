// What is foretold of an apply before it begins, as a document.
#pragma once

#include "protocol/order/dependents.hpp"
#include "protocol/order/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tofud::order {

struct foretold_apply {
  std::size_t operations = 0;
  std::size_t known = 0;    // of so many it is known how long they take
  std::uint64_t slots = 0;  // operations at once
  /// Nothing: too little is known, or nothing is to be done.
  std::optional<remaining_time> time;
  std::vector<std::string> path;  // the critical path: addresses, each before the next
  std::vector<taken_away> taken;
};

/// One object and a newline: `operations`, `known`, `slots`, `p50_s` and `p80_s` (null: not known),
/// `critical_path`, `taken_away`.
std::string to_json(const foretold_apply& of);

}  // namespace tofud::order
