// The view `forecast` as a value: what is expected of an address, or of the whole run.
#pragma once

#include "protocol/feed/row.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::feed {

/// How close to an address those operations are that say what is usual of it.
enum class rung : std::uint8_t {
  address = 1,  // the same stack and address
  stack = 2,    // the same stack and type
  anywhere = 3  // the same type in any stack
};
std::string_view name(rung at);

/// How long one action on one address usually takes.
struct usual {
  double p50 = 0, p80 = 0;  // seconds, by nearest rank
  std::size_t count = 0;    // of operations that say so
  rung at = rung::address;
  /// Both a failure and a success are among the newest of this very address.
  bool flaky = false;
  bool operator==(const usual&) const = default;
};

/// The same, with what it is of.
struct address_usual {
  std::string addr, type;
  std::string action;  // the feed's word
  usual how;
  bool operator==(const address_usual&) const = default;
};

struct address_forecast {
  std::string_view addr, run;
  std::vector<std::pair<step_action, usual>> usual_of;  // of what it owes
};

/// As one JSON object, without a newline.
void encode(std::string& out, const address_forecast& of);

}  // namespace tofud::feed
